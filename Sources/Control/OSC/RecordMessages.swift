import OSC
import Session

/// The wire format of what can be asked of the recording of the ears.
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/record` | none, or 1, 0, `T` or `F`, or `s` `on`, `off` or `toggle` | begins the next take, or completes the present one |
/// | `/proscenium/record/start` | none or a button, or `s` file | begins a take, under the next free number where there is such a file |
/// | `/proscenium/record/stop` | none or a button | completes it |
/// | `/proscenium/record/marker` | none or a button, or `s` name | sets a marker at what is heard now |
enum RecordMessages {
    /// The commands there are.
    static let commands = [
        ControlWord(
            "record", .state, "begins the next take, or completes the present one; or `on`, `off`, `toggle`"),
        ControlWord(
            "record/start", .perhaps("a file's name"), "begins a take of what the stage plays; a file, if wanted"),
        ControlWord("record/stop", "completes it"),
        ControlWord(
            "record/marker", .perhaps("a name of \(RecordCommand.longestName) bytes at most"),
            "sets a marker at what is heard now; a name, if wanted"),
    ]
    private static let root = ControlWire.prefix + "record"

    /// The command a message asks for; nil where its address says nothing about recording.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable>? {
        switch message.address {
        case root: message.state.map { .record(.turn(on: $0)) }
        case root + "/start":
            text(message) { said in
                (1...RecordCommand.longestPath).contains(said.utf8.count) && !said.contains("\0") ? said : nil
            }.map { .record(.start(file: $0)) }
        case root + "/stop": .success(.record(.stop))
        case root + "/marker":
            text(message, RecordCommand.name).map { .record(.marker(name: $0)) }
        default: nil
        }
    }

    /// The message that asks for a command.
    static func message(for command: RecordCommand) -> OSCMessage {
        switch command {
        case .start(let file): OSCMessage(root + "/start", file.map { [.string($0)] } ?? [])
        case .stop: OSCMessage(root + "/stop")
        case .turn(let on): OSCMessage(root, [.string(on.map { $0 ? "on" : "off" } ?? "toggle")])
        case .marker(let name): OSCMessage(root + "/marker", name.map { [.string($0)] } ?? [])
        }
    }

    /// Nothing or one text, as it is used.
    private static func text(
        _ message: OSCMessage, _ read: (String) -> String?
    ) -> Result<String?, ControlWire.Unusable> {
        guard let first = message.arguments.first else { return .success(nil) }
        guard message.arguments.count == 1, case .string(let said) = first, let text = read(said) else {
            return .failure(ControlWord.unusable(message.address))
        }
        return .success(text)
    }
}
