import HeadTracking
import Session

/// What the terminal shows of a running session, and what its keys do.
enum SessionTerminal {
    /// Keys, what they send, and what they are for.
    static let keys: [(keys: String, command: SessionCommand?, help: String)] = [
        (" r", .recentre(.yaw), "recentres"),
        ("f", .recentre(.full), "recentres all axes"),
        ("d", .set(ParameterChange(.reference, .word("device"))), "has the stage stay with the device"),
        ("h", .set(ParameterChange(.reference, .word("head"))), "has it stay with the head's own tracker"),
        ("s", .set(ParameterChange(.reference, .word("static"))), "has it stay with the listener: nothing moves"),
        ("o", .set(ParameterChange(.room, .word("toggle"))), "turns the room on and off"),
        ("p", .playback(.resume), "goes on after the headphones were gone"),
        ("D", set("dim", "toggle"), "turns the ears down or back"),
        ("m", set("monitor-mute", "toggle"), "mutes them"),
        ("M", set("mono", "toggle"), "has both hear the same"),
        ("a", set("monitor-source", "toggle"), "has the reference heard instead of the stage, or the stage again"),
        ("t", set("talkback", "toggle"), "has the talkback heard or not"),
        ("c", set("solo-clear", "all"), "clears all solos"),
        ("R", .record(.turn(on: nil)), "begins a take of what the stage plays, or completes it"),
        ("k", .record(.marker(name: nil)), "sets a marker in it"),
        ("q", .quit, "quits"),
    ]

    /// The keys in a sentence, for help texts.
    static var sentence: String {
        keys.map { "\(named($0.keys).joined(separator: " or ")) \($0.help)" }.joined(separator: ", ")
    }

    /// The terminal of a session; to be opened and closed.
    static func terminal(_ live: LiveSession, _ commands: CommandQueue) -> Terminal {
        Terminal {
            StatusText.line(await live.status())
        } takes: { pressed in
            for key in pressed.map({ Character(UnicodeScalar($0)) }) {
                if key == "?" { Terminal.tell(keys.map { "  \(named($0.keys).joined(separator: ", ")): \($0.help)" }) }
                guard let command = keys.first(where: { $0.keys.contains(key) })?.command else { continue }
                await Terminal.send(command, to: commands)
            }
        }
    }

    /// The command that gives a parameter of the table a word.
    private static func set(_ parameter: String, _ word: String) -> SessionCommand? {
        (try? ParameterChange(parameter, [word], input: nil)).map { .set($0) }
    }

    private static func named(_ keys: String) -> [String] { keys.map { $0 == " " ? "space" : String($0) } }
}
