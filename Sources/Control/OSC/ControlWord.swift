/// A command beside the parameters, as OSC has it: complaints name them, and OSC Query lists them.
struct ControlWord: Sendable {
    /// What stands behind `/proscenium/`; `NAME` in it is a plugin's.
    let word: String
    /// The types of its arguments, as OSC Query has them; `N` where it may go without.
    let types: String
    /// What it does, in a phrase.
    let help: String

    /// A command that takes arguments of these types.
    init(_ word: String, _ types: String, _ help: String) {
        (self.word, self.types, self.help) = (word, types, help)
    }

    /// A command that may go without an argument.
    init(_ word: String, _ help: String) { self.init(word, "N", help) }
}
