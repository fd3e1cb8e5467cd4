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
            "plugin/describe", "answers with the controls and presets of an installed plugin as JSON",
            .text("a plugin's URI", name: "uri", help: "The plugin's URI; see 'plugin known'."), kind: .question,
            execution: .ofPlugins(.nothing), patience: pluginPatience,
            form: CommandForm("plugin describe http://lv2plug.in/plugins/eg-amp"),
            reads: { .plugin(.describe($0)) },
            writes: { if case .plugin(.describe(let identifier)) = $0 { identifier } else { nil } }),
        named(
            "about", "answers with the plugin's controls, their ranges and units, and its presets as JSON", .nothing,
            kind: .question, changes: .nothing, form: CommandForm("plugin about limiter"),
            reads: { name, _ in .about(name) }, writes: { if case .about(let name) = $0 { (name, ()) } else { nil } }),
        Command(
            "plugin/add", "adds a plugin to a chain, as --plugin does; optionally at a position",
            both(
                .plugin(
                    "a plugin as in --plugin", name: "where=uri[,key=value...]",
                    help: "The plugin, as in --plugin of 'run'."),
                perhaps(
                    .position(
                        name: "at", kind: .option(value: "position"),
                        help: "Before the plugin at this position, from 0 on (default: behind the last)."))),
            execution: .ofPlugins(.chains), patience: pluginPatience,
            form: CommandForm("plugin add main=http://lv2plug.in/plugins/eg-amp,gain=-6"),
            reads: { .plugin(.add($0.0, position: $0.1)) },
            writes: {
                guard case .plugin(.add(let request, let position)) = $0 else { return nil }
                return (request, position)
            }),
        Command(
            "plugin/save", "saves all chains into a folder",
            .path(
                "a folder", .writesFolder, name: "folder",
                help: "The folder: a new one, an empty one, or one of an earlier 'plugin save'."),
            execution: .ofPlugins(.nothing), patience: pluginPatience, form: CommandForm("plugin save chains"),
            reads: { .plugin(.save($0)) }, writes: { if case .plugin(.save(let folder)) = $0 { folder } else { nil } }),
        Command(
            "plugin/load", "loads all chains from a folder",
            .path("a folder", .readsFolder, name: "folder", help: "The folder, on the session's machine."),
            execution: .ofPlugins(.chains), patience: pluginPatience, form: CommandForm("plugin load chains"),
            reads: { .plugin(.load($0)) }, writes: { if case .plugin(.load(let folder)) = $0 { folder } else { nil } }),
        named(
            "remove", "takes the plugin out of its chain", .nothing, changes: .chains,
            form: CommandForm("plugin remove limiter"),
            reads: { name, _ in .remove(name) },
            writes: { if case .remove(let name) = $0 { (name, ()) } else { nil } }),
        named(
            "restart", "restarts a plugin that was taken out after a fault", .nothing,
            form: CommandForm("plugin restart limiter"),
            reads: { name, _ in .restart(name) },
            writes: { if case .restart(let name) = $0 { (name, ()) } else { nil } }),
        named(
            "move", "gives the plugin another position in its chain, from 0 on",
            .position(name: "position", help: "The position, from 0 on."), changes: .chains,
            form: CommandForm("plugin move limiter 0"),
            reads: { name, position in .move(name, to: position) },
            writes: { if case .move(let name, let position) = $0 { (name, position) } else { nil } }),
        named(
            "replace", "replaces the plugin by another",
            .plugin(
                "a URI, and after it keys as in --plugin", place: "here", name: "uri[,key=value...]",
                help: "The other plugin, as in --plugin of 'run'."), changes: .chains,
            form: CommandForm("plugin replace limiter http://gareus.org/oss/lv2/dpl#stereo"),
            reads: { name, request in .replace(name, request) },
            writes: { if case .replace(let name, let request) = $0 { (name, request) } else { nil } }),
        named(
            "bypass", "bypasses the plugin, or ends the bypass; or `on`, `off`, `toggle`",
            .state(help: "Whether the plugin is bypassed."),
            form: CommandForm("plugin bypass limiter on", remark: "The bypass has the plugin's latency."),
            reads: { name, isOn in .bypass(name, isOn) },
            writes: { if case .bypass(let name, let isOn) = $0 { (name, isOn) } else { nil } }),
        named(
            "preset", "loads a preset of the plugin, by URI or label",
            .text(
                "a preset's URI or label", name: "preset",
                help: "The preset, by URI or label; see 'plugin presets'."), changes: .chains,
            form: CommandForm("plugin preset eq Warm"),
            reads: { name, preset in .preset(name, preset) },
            writes: { if case .preset(let name, let preset) = $0 { (name, preset) } else { nil } }),
        named(
            "midi", "sends the plugin a MIDI message of one to three bytes", bytes, changes: .nothing,
            form: CommandForm("plugin midi sampler 144 60 100"),
            reads: { name, bytes in .midi(name, bytes) },
            writes: { if case .midi(let name, let bytes) = $0 { (name, bytes) } else { nil } }),
        named(
            "set", "sets a control or a property of the plugin, by its symbol or URI",
            both(
                .written(
                    "a symbol or URI", name: "symbol",
                    help: "The control's symbol, or a property's URI or its last word; see 'plugin info'."),
                .written(
                    "a number or a text", type: "f", name: "value", kind: .rest,
                    help: "A number in the control's unit, a choice's name, on or off, a text or a path.")),
            form: CommandForm("plugin set eq gain1 -3.5"),
            reads: { name, said in .set(name, symbol: said.0, value: said.1) },
            writes: { if case .set(let name, let symbol, let value) = $0 { (name, (symbol, value)) } else { nil } }),
    ]

    /// One to three bytes of a MIDI message.
    private static let bytes = CommandArguments<[UInt8]>(
        [
            CommandArgument(
                "one to three bytes", type: "i", range: 0...255,
                forms: [
                    CommandForm.Argument(
                        "bytes", .numbers(3), "One to three bytes, 0 to 255.",
                        limit: .whole("one to three bytes, 0 to 255 each", 0...255))
                ])
        ],
        read: { words in
            var bytes: [UInt8] = []
            repeat {
                guard let byte: UInt8 = words.whole() else { return nil }
                bytes.append(byte)
            } while bytes.count < 3 && !words.left.isEmpty
            return bytes
        }, write: { bytes in bytes.map { .whole(Int32($0)) } })

    /// Returns the row of a command for one plugin. `change`: what the command changes.
    private static func named<Value: Sendable>(
        _ id: String, _ help: String, _ arguments: CommandArguments<Value>, kind: Kind = .deed,
        changes change: CommandExecution.Change = .values, form: CommandForm? = nil,
        reads: @escaping @Sendable (String, Value) -> PluginCommand,
        writes: @escaping @Sendable (PluginCommand) -> (String, Value)?
    ) -> Command {
        Command(
            "plugin/NAME/" + id, help, both(.pluginName, arguments), kind: kind, execution: .ofPlugins(change),
            patience: pluginPatience, form: form, reads: { said in .plugin(reads(said.0, said.1)) },
            writes: { command in
                guard case .plugin(let request) = command else { return nil }
                return writes(request)
            })
    }
}
