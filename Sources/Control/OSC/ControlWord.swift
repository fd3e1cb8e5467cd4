/// A command beside the parameters, as OSC has it: what it takes, of which complaints and buttons are made, and what it
/// does, which OSC Query lists.
struct ControlWord: Sendable {
    /// What a command takes.
    enum Takes: Sendable {
        /// Nothing; a button does it, see `press`.
        case nothing
        /// Nothing, or these, in words; a button does it without them.
        case perhaps(String)
        /// `on`, `off`, `toggle`, or nothing, which is `toggle`. Of a button 1 is on and 0 off.
        case state
        /// These: their types as OSC Query has them, and in words. No button does it.
        case these(types: String, String)
    }

    /// What stands behind `/proscenium/`; `NAME` in it is a plugin's.
    let word: String
    /// What it takes.
    let takes: Takes
    /// What it does, in a phrase.
    let help: String

    /// A command that takes arguments of these types, in words.
    init(_ word: String, _ types: String, _ takes: String, _ help: String) {
        (self.word, self.takes, self.help) = (word, .these(types: types, takes), help)
    }

    /// A command that takes this.
    init(_ word: String, _ takes: Takes, _ help: String) {
        (self.word, self.takes, self.help) = (word, takes, help)
    }

    /// A command that takes nothing.
    init(_ word: String, _ help: String) { self.init(word, .nothing, help) }

    /// The types of its arguments, as OSC Query has them; `N` where it may go without.
    var types: String { if case .these(let types, _) = takes { types } else { "N" } }

    /// What it takes, in words.
    var takesInWords: String {
        switch takes {
        case .nothing: "nothing, or a button's 1, which does it, or 0, which does nothing"
        case .perhaps(let these): "nothing or a button's 1, or \(these); a button's 0 does nothing"
        case .state: "nothing, 'on', 'off' or 'toggle'; a button's 1 is on and its 0 off"
        case .these(_, let these): these
        }
    }

    /// Why a message to an address is not done, where its arguments are none that the command takes.
    static func unusable(_ address: String) -> ControlWire.Unusable {
        let name = address.hasPrefix(ControlWire.prefix) ? String(address.dropFirst(ControlWire.prefix.count)) : address
        guard let word = ControlWord.at(address) else {
            return ControlWire.Unusable(reason: "\(name) is not understood; see 'proscenium ctl --help'")
        }
        return ControlWire.Unusable(reason: "\(name) takes \(word.takesInWords)")
    }

    /// The command at an address; nil where there is none, as where a parameter stands.
    static func at(_ address: String) -> ControlWord? {
        guard address.hasPrefix(ControlWire.prefix) else { return nil }
        let said = address.dropFirst(ControlWire.prefix.count)
        if let word = byWord[String(said)] { return word }
        let parts = said.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "plugin", !parts[1].isEmpty else { return nil }
        return byWord["plugin/NAME/\(parts[2])"]
    }

    private static let byWord = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })
}
