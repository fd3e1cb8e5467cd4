import Desk
import Foundation
import Gate
import HeadTracking
import Preview
import Session
import Stages

/// Status line and keys of a preview.
enum PreviewTerminal {
    /// Returns the terminal of a preview, not yet opened.
    static func terminal(_ preview: PreviewSession, _ queue: CommandQueue) -> Terminal {
        Terminal {
            await preview.status().map(line)
        } takes: { keys in
            if keys.contains(UInt8(ascii: "?")) { Terminal.tell(help.map { "  " + $0 }) }
            for command in commands(keys) { await Terminal.send(command, to: queue) }
        }
    }

    /// A key: its byte (the last of an arrow's three bytes), its name and its command.
    private struct Key {
        let byte: UInt8
        let isArrow: Bool
        /// Name of the key; nil for a second key of the same action, as `=` for `+`.
        let name: String?
        let command: SessionCommand

        init(_ letter: Unicode.Scalar, isArrow: Bool = false, _ name: String?, _ command: SessionCommand) {
            byte = UInt8(ascii: letter)
            self.isArrow = isArrow
            self.name = name
            self.command = command
        }
    }

    /// Groups of keys, each with its help text.
    private static let keys: [(keys: [Key], help: String)] = [
        (
            [
                Key("D", isArrow: true, "left", .preview(.seek(by: -5))),
                Key("C", isArrow: true, "right", .preview(.seek(by: 5))),
            ], "move by 5 s"
        ),
        (
            [
                Key("B", isArrow: true, "down", .preview(.seek(by: -60))),
                Key("A", isArrow: true, "up", .preview(.seek(by: 60))),
            ], "move by 60 s"
        ),
        ([Key(" ", "space", .preview(.pause(nil)))], "pauses, or resumes"),
        (
            [Key("n", "n", .preview(.skip(1))), Key("p", "p", .preview(.skip(-1)))],
            "play the next or the previous file"
        ),
        ([Key("l", "l", .preview(.loop(nil)))], "repeats the list, or ends the repetition"),
        (
            [
                Key("+", "+", .preview(.gain(by: 1))), Key("=", nil, .preview(.gain(by: 1))),
                Key("-", "-", .preview(.gain(by: -1))),
            ], "change the gain by 1 dB"
        ),
        ([Key("o", "o", .set(ParameterChange(.room, .word("toggle"))))], "turns the room on and off"),
        ([Key("r", "r", .recentre(.yaw))], "recentres"), ([Key("f", "f", .recentre(.full))], "recentres all axes"),
        ([Key("q", "q", .quit)], "quits"),
    ]

    /// The groups of keys with their help texts, one line each.
    static var help: [String] { keys.map { "\(named($0.keys).joined(separator: ", ")): \($0.help)" } }

    /// All keys in one sentence, for help texts.
    static var sentence: String {
        keys.map { "\(named($0.keys).joined(separator: " and ")): \($0.help)" }.joined(separator: "; ")
    }

    private static func named(_ keys: [Key]) -> [String] { keys.compactMap(\.name) }

    /// Returns the commands of pressed keys. An arrow is three bytes, ESC [ A…D or ESC O A…D.
    static func commands(_ bytes: some Sequence<UInt8>) -> [SessionCommand] {
        let all = keys.flatMap(\.keys)
        var found: [SessionCommand] = []
        var rest = Array(bytes)[...]
        while var byte = rest.popFirst() {
            var isArrow = false
            if byte == 0x1B, let bracket = rest.first, bracket == UInt8(ascii: "[") || bracket == UInt8(ascii: "O") {
                rest.removeFirst()
                guard let last = rest.popFirst() else { break }
                (byte, isArrow) = (last, true)
            }
            if let key = all.first(where: { $0.byte == byte && $0.isArrow == isArrow }) { found.append(key.command) }
        }
        return found
    }

    /// Returns the status line: file, position, time left, level.
    static func line(_ s: PreviewStatus) -> StatusLine {
        var line = StatusLine()
        let name = s.file.split(separator: "/").last.map(String.init) ?? s.file
        let isMuted = s.session.playback.state == "held"
        line.add(isMuted ? "MUTED: route lost, space resumes" : nil, weight: 9)
        let sign = s.isPaused || isMuted ? "|| " : "> "
        line.add(sign + (s.count > 1 ? "\(s.number)/\(s.count) " : "") + name, weight: 6)
        line.add(
            "\(time(s.seconds)) of \(time(s.duration)), \(time(max(0, s.duration - s.seconds))) left"
                + (s.loops ? ", repeats" : ""), weight: 8)
        let level = zip(["L", "R"], s.session.outputPeaks).map { String(format: "%@ %5.1f", $0, max(-99.9, $1)) }
        line.add(level.joined(separator: " ") + " dBFS" + (s.session.clipped ? " CLIP" : ""), weight: 7)
        line.add(s.gain == 0 ? nil : String(format: "gain %+.0f dB", s.gain), weight: 4)
        line.add(s.session.room.map { $0.isOn ? "room" : "dry" }, weight: 2)
        line.add(s.session.head == nil ? nil : String(format: "yaw %+.1f°", s.session.yaw), weight: 3)
        line.add(s.underruns > 0 ? "\(s.underruns) underruns" : nil, weight: 5)
        line.add("? keys", weight: 1)
        return line
    }

    /// Returns a time as `1:23` or `1:02:03`.
    static func time(_ seconds: Double) -> String {
        let s = Int(clamping: seconds, .down, to: 0...359_999_999)
        return s < 3600
            ? String(format: "%d:%02d", s / 60, s % 60) : String(format: "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60)
    }
}
