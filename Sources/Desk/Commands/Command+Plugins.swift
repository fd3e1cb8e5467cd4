import Loading
import Racks

extension Command {
    /// Timeout of a plugin command, seconds. It allows for the first scan of all installed plugins.
    private static let pluginPatience = 60

    /// Commands for plugins. `plugin/NAME/set/SYMBOL VALUE`, which has no row, sets a control too.
    package static let plugins: [Command] = [
        Command(
            "plugin", "answers with the plugins of all chains as JSON", kind: .question,
            execution: .ofPlugins(.nothing), patience: pluginPatience, means: .plugin(.list)),
        Command(
            "plugin/known", "answers with the plugins of this machine as JSON", kind: .question,
            execution: .ofPlugins(.nothing), patience: pluginPatience, form: CommandForm("plugin known"),
            means: .plugin(.known)),
        Command(
            "plugin/describe", .these(types: "s", "a plugin's URI"),
            "answers with the controls and presets of an installed plugin as JSON", kind: .question,
            execution: .ofPlugins(.nothing), patience: pluginPatience,
            form: CommandForm(
                "plugin describe http://lv2plug.in/plugins/eg-amp",
                [.init("uri", "The plugin's URI; see 'plugin known'.")])
        ) {
            .plugin(.describe($0.text()))
        } writes: {
            if case .plugin(.describe(let identifier)) = $0 { [.text(identifier)] } else { nil }
        },
        named(
            "about", .nothing, "answers with the plugin's controls, their ranges and units, and its presets as JSON",
            kind: .question, changes: .nothing, form: CommandForm("plugin about limiter")
        ) { name, _ in
            .about(name)
        } writes: {
            if case .about(let name) = $0 { (name, []) } else { nil }
        },
        Command(
            "plugin/add", .these(types: "s", "a plugin as in --plugin, then optionally a position from 0 on"),
            "adds a plugin to a chain, as --plugin does; optionally at a position", execution: .ofPlugins(.chains),
            patience: pluginPatience,
            form: CommandForm(
                "plugin add main=http://lv2plug.in/plugins/eg-amp,gain=-6",
                [
                    .init("where=uri[,key=value...]", "The plugin, as in --plugin of 'run'."),
                    .init(
                        "at", .option(value: "position"),
                        "Before the plugin at this position, from 0 on (default: behind the last).", limit: .position),
                ])
        ) { words throws(SessionError) in
            let text = words.text()
            let position = words.perhaps { $0.position() }
            return .plugin(.add(try PluginRequest(parsing: text), position: position))
        } writes: {
            guard case .plugin(.add(let request, let position)) = $0 else { return nil }
            return [.text(request.written)] + (position.map { [.whole(Int32(clamping: $0))] } ?? [])
        },
        Command(
            "plugin/save", .these(types: "s", "a folder"), "saves all chains into a folder",
            execution: .ofPlugins(.nothing), patience: pluginPatience,
            form: CommandForm(
                "plugin save chains",
                [
                    .init(
                        "folder", .path(isFolder: true),
                        "The folder: a new one, an empty one, or one of an earlier 'plugin save'.")
                ])
        ) {
            // The value 1 of a button is not a folder name.
            .plugin(.save($0.text()))
        } writes: {
            if case .plugin(.save(let folder)) = $0 { [.text(folder)] } else { nil }
        },
        Command(
            "plugin/load", .these(types: "s", "a folder"), "loads all chains from a folder",
            execution: .ofPlugins(.chains), patience: pluginPatience,
            form: CommandForm(
                "plugin load chains", [.init("folder", .path(isFolder: true), "The folder, on the session's machine.")])
        ) {
            .plugin(.load($0.text()))
        } writes: {
            if case .plugin(.load(let folder)) = $0 { [.text(folder)] } else { nil }
        },
        named(
            "remove", .nothing, "takes the plugin out of its chain", changes: .chains,
            form: CommandForm("plugin remove limiter")
        ) { name, _ in
            .remove(name)
        } writes: {
            if case .remove(let name) = $0 { (name, []) } else { nil }
        },
        named(
            "restart", .nothing, "restarts a plugin that was taken out after a fault",
            form: CommandForm("plugin restart limiter")
        ) { name, _ in
            .restart(name)
        } writes: {
            if case .restart(let name) = $0 { (name, []) } else { nil }
        },
        named(
            "move", .these(types: "i", "a position from 0 on"),
            "gives the plugin another position in its chain, from 0 on", changes: .chains,
            form: CommandForm(
                "plugin move limiter 0", [.init("position", .numbers(1), "The position, from 0 on.", limit: .position)])
        ) { name, words in
            .move(name, to: words.position())
        } writes: {
            if case .move(let name, let target) = $0 {
                (name, [.whole(Int32(clamping: target))])
            } else {
                nil
            }
        },
        named(
            "replace", .these(types: "s", "a URI, and after it keys as in --plugin"),
            "replaces the plugin by another", changes: .chains,
            form: CommandForm(
                "plugin replace limiter http://gareus.org/oss/lv2/dpl#stereo",
                [.init("uri[,key=value...]", "The other plugin, as in --plugin of 'run'.")])
        ) { name, words throws(SessionError) in
            .replace(name, try PluginRequest(parsing: "here=" + words.text()))
        } writes: {
            if case .replace(let name, let request) = $0 { (name, [.text(request.writtenWithoutPlace)]) } else { nil }
        },
        named(
            "bypass", .state, "bypasses the plugin, or ends the bypass; or `on`, `off`, `toggle`",
            form: CommandForm(
                "plugin bypass limiter on",
                [
                    .init(
                        "state", .word(["on", "off", "toggle"]), "Whether the plugin is bypassed.", standard: "",
                        usual: "toggle")
                ],
                remark: "The bypass has the plugin's latency.")
        ) { name, words in
            .bypass(name, words.state())
        } writes: {
            if case .bypass(let name, let isOn) = $0 { (name, [.text(word(isOn) ?? "toggle")]) } else { nil }
        },
        named(
            "preset", .these(types: "s", "a preset's URI or label"), "loads a preset of the plugin, by URI or label",
            changes: .chains,
            form: CommandForm(
                "plugin preset eq Warm", [.init("preset", "The preset, by URI or label; see 'plugin presets'.")])
        ) { name, words in
            .preset(name, words.text())
        } writes: {
            if case .preset(let name, let preset) = $0 { (name, [.text(preset)]) } else { nil }
        },
        named(
            "midi", .these(types: "i", ranges: [0...255], "one to three bytes"),
            "sends the plugin a MIDI message of one to three bytes", changes: .nothing,
            form: CommandForm(
                "plugin midi sampler 144 60 100",
                [
                    .init(
                        "bytes", .numbers(3), "One to three bytes, 0 to 255.",
                        limit: .whole("one to three bytes, 0 to 255 each", 0...255))
                ])
        ) { name, words in
            let bytes =
                [words.whole() as UInt8]
                + [words.perhaps { $0.whole() }, words.perhaps { $0.whole() }].compactMap(\.self)
            return .midi(name, bytes)
        } writes: {
            if case .midi(let name, let bytes) = $0 { (name, bytes.map { .whole(Int32($0)) }) } else { nil }
        },
        named(
            "set", .these(types: "sf", "a symbol or URI, then a number or a text"),
            "sets a control or a property of the plugin, by its symbol or URI",
            form: CommandForm(
                "plugin set eq gain1 -3.5",
                [
                    .init("symbol", "The control's symbol, or a property's URI or its last word; see 'plugin info'."),
                    .init(
                        "value", .rest,
                        "A number in the control's unit, a choice's name, on or off, a text or a path."),
                ])
        ) { name, words in
            .set(name, symbol: words.written(), value: words.written())
        } writes: {
            if case .set(let name, let symbol, let value) = $0 { (name, [.text(symbol), .text(value)]) } else { nil }
        },
    ]

    /// Returns the row of a command for one plugin. `change`: what the command changes.
    private static func named(
        _ id: String, _ takes: Takes, _ help: String, kind: Kind = .deed,
        changes change: CommandExecution.Change = .values, form: CommandForm? = nil,
        reads: @escaping @Sendable (String, inout CommandReader) throws(SessionError) -> PluginCommand,
        writes: @escaping @Sendable (PluginCommand) -> (String, [CommandValue])?
    ) -> Command {
        Command(
            "plugin/NAME/" + id, takes, help, kind: kind, execution: .ofPlugins(change), patience: pluginPatience,
            form: form
        ) { words throws(SessionError) in
            .plugin(try reads(words.name, &words))
        } writes: {
            guard case .plugin(let command) = $0, let (name, values) = writes(command) else { return nil }
            return [.text(name)] + values
        }
    }
}
