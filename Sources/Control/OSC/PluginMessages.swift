import OSC
import Session

/// The wire format of what can be asked of plugins.
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/plugin` | none or a button | answers with the plugins of all chains as JSON |
/// | `/proscenium/plugin/known` | none or a button | answers with the plugins that could be put into a chain, as JSON |
/// | `/proscenium/plugin/NAME/about` | none or a button | answers with its controls, their ranges and units, and its presets, as JSON |
/// | `/proscenium/plugin/add` | `s` as `--plugin` has it, then, if wanted, `i` position | puts one into a chain |
/// | `/proscenium/plugin/save`, `/load` | `s` folder | saves all chains; takes them from there |
/// | `/proscenium/plugin/NAME/remove`, `/restart` | none or a button | takes it out; makes it anew |
/// | `/proscenium/plugin/NAME/move` | `i` position | gives it another position in its chain |
/// | `/proscenium/plugin/NAME/replace` | `s` URI with what follows it in `--plugin` | puts another in its place |
/// | `/proscenium/plugin/NAME/bypass` | none, or 1, 0, `T` or `F`, or `s` `on`, `off` or `toggle` | has sound pass it |
/// | `/proscenium/plugin/NAME/preset` | `s` URI or label | loads a preset |
/// | `/proscenium/plugin/NAME/midi` | `i` two or three bytes | sends it a MIDI message |
/// | `/proscenium/plugin/NAME/set/SYMBOL` | a number or `s` | sets a control or a property |
/// | `/proscenium/plugin/NAME/set` | `s` symbol or URI, then a number or `s` | the same, for names with a `/` |
enum PluginMessages {
    /// The commands there are.
    static let commands = [
        ControlWord("plugin", "answers with the plugins of all chains as JSON"),
        ControlWord("plugin/known", "answers with the plugins of this machine as JSON"),
        ControlWord("plugin/NAME/about", "answers with its controls, their ranges and units, and its presets as JSON"),
        ControlWord(
            "plugin/add", "s", "a plugin as --plugin has it, then, if wanted, a position from 0 on",
            "puts a plugin into a chain, as --plugin has it; a position, if wanted"),
        ControlWord("plugin/save", "s", "a folder", "saves all chains into a folder"),
        ControlWord("plugin/load", "s", "a folder", "takes all chains from a folder"),
        ControlWord("plugin/NAME/remove", "takes the plugin out of its chain"),
        ControlWord("plugin/NAME/restart", "makes it anew where it was taken out because it misbehaved"),
        ControlWord(
            "plugin/NAME/move", "i", "a position from 0 on", "gives it another position in its chain, from 0 on"),
        ControlWord("plugin/NAME/replace", "s", "a URI, with what follows it in --plugin", "puts another in its place"),
        ControlWord("plugin/NAME/bypass", .state, "has sound pass it, or not; or `on`, `off`, `toggle`"),
        ControlWord("plugin/NAME/preset", "s", "a preset's URI or label", "loads a preset, by URI or label"),
        ControlWord("plugin/NAME/midi", "iii", "one to three bytes", "sends it a MIDI message of one to three bytes"),
        ControlWord(
            "plugin/NAME/set", "sf", "a symbol or URI, then a number or a text",
            "sets a control or a property, by its symbol or URI"),
    ]
    private static let root = ControlWire.prefix + "plugin"

    /// The command a message asks for; nil where its address says nothing about plugins.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable>? {
        guard message.address == root || message.address.hasPrefix(root + "/") else { return nil }
        let parts = message.address.dropFirst(root.count).split(separator: "/").map(String.init)
        if parts.count == 2, parts[1] == "bypass" { return message.state.map { .plugin(.bypass(parts[0], $0)) } }
        let said = message.arguments.compactMap(\.written)
        let refusal = Result<SessionCommand, ControlWire.Unusable>.failure(ControlWord.unusable(message.address))
        guard said.count == message.arguments.count else { return refusal }
        do throws(SessionError) {
            return try command(parts, said, message.text).map { .success(.plugin($0)) } ?? refusal
        } catch {
            return .failure(ControlWire.Unusable(reason: error.description))
        }
    }

    /// The command that the parts of an address and the arguments make, of which the first may be a text; nil where
    /// they make none.
    private static func command(
        _ parts: [String], _ said: [String], _ text: String?
    ) throws(SessionError) -> PluginCommand? {
        switch (parts.count, parts.last ?? "", said.count) {
        case (0, _, 0): return .list
        case (1, "known", 0): return .known
        case (2, "about", 0): return .about(parts[0])
        case (1, "add", 1...2):
            guard let text, said.count == 1 || Int(said[1]) != nil else { return nil }
            return .add(try PluginRequest(parsing: text), position: said.count == 2 ? Int(said[1]) : nil)
        // A button's 1 is no folder's name.
        case (1, "save", 1): return text.map { .save($0) }
        case (1, "load", 1): return text.map { .load($0) }
        case (2, "remove", 0): return .remove(parts[0])
        case (2, "restart", 0): return .restart(parts[0])
        case (2, "move", 1): return Int(said[0]).map { .move(parts[0], to: $0) }
        case (2, "replace", 1):
            guard let text else { return nil }
            return .replace(parts[0], try PluginRequest(parsing: "here=" + text))
        case (2, "preset", 1): return text.map { .preset(parts[0], $0) }
        case (2, "midi", 1...3):
            let bytes = said.compactMap { UInt8($0) }
            return bytes.count == said.count ? .midi(parts[0], bytes) : nil
        case (2, "set", 2): return .set(parts[0], symbol: said[0], value: said[1])
        case (3, let symbol, 1) where parts[1] == "set": return .set(parts[0], symbol: symbol, value: said[0])
        default: return nil
        }
    }

    /// The message that asks for a command.
    static func message(for command: PluginCommand) -> OSCMessage {
        func of(_ name: String, _ word: String, _ arguments: [OSCArgument] = []) -> OSCMessage {
            OSCMessage("\(root)/\(name)/\(word)", arguments)
        }
        switch command {
        case .list: return OSCMessage(root)
        case .known: return OSCMessage(root + "/known")
        case .about(let name): return of(name, "about")
        case .add(let request, let position):
            return OSCMessage(
                root + "/add", [.string(request.written)] + (position.map { [.int32(Int32(clamping: $0))] } ?? []))
        case .save(let folder): return OSCMessage(root + "/save", [.string(folder)])
        case .load(let folder): return OSCMessage(root + "/load", [.string(folder)])
        case .remove(let name): return of(name, "remove")
        case .restart(let name): return of(name, "restart")
        case .move(let name, let target): return of(name, "move", [.int32(Int32(clamping: target))])
        case .replace(let name, let request): return of(name, "replace", [.string(request.writtenWithoutPlace)])
        case .bypass(let name, let on):
            return of(name, "bypass", [.string(on.map { $0 ? "on" : "off" } ?? "toggle")])
        case .preset(let name, let preset): return of(name, "preset", [.string(preset)])
        case .midi(let name, let bytes): return of(name, "midi", bytes.map { .int32(Int32($0)) })
        case .set(let name, let symbol, let value): return of(name, "set", [.string(symbol), .string(value)])
        }
    }
}
