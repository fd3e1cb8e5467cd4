import Foundation
import HeadTracking
import Session

/// What the terminal shows of a preview, place and time left on one line, and what its keys do.
enum PreviewTerminal {
    /// The terminal of a preview; to be opened and closed.
    static func terminal(_ preview: PreviewSession, _ queue: CommandQueue) -> Terminal {
        Terminal {
            await preview.status().map(line)
        } takes: { keys in
            if keys.contains(UInt8(ascii: "?")) { Terminal.tell(help.map { "  " + $0 }) }
            for command in commands(keys) { await Terminal.send(command, to: queue) }
        }
    }

    /// The keys and what they are for, a line each.
    static let help = [
        "left and right: 5 s back and on; down and up: 60 s", "space: pauses, or goes on",
        "n, p: the next file, the previous one", "l: repeats the list, or not", "+, -: gain by 1 dB",
        "o: turns the room on and off", "r: recentres; f: all axes", "q: quits",
    ]

    /// What keys mean; arrows come as three bytes, ESC [ A…D or ESC O A…D.
    static func commands(_ bytes: some Sequence<UInt8>) -> [SessionCommand] {
        var found: [SessionCommand] = []
        var rest = Array(bytes)[...]
        while let key = rest.popFirst() {
            if key == 0x1B, let bracket = rest.first, bracket == UInt8(ascii: "[") || bracket == UInt8(ascii: "O") {
                rest.removeFirst()
                if let arrow = rest.popFirst(), let move = arrows[arrow] { found.append(.preview(.seek(by: move))) }
            } else if let command = letters[key] {
                found.append(command)
            }
        }
        return found
    }

    private static let arrows: [UInt8: Double] = [
        UInt8(ascii: "A"): 60, UInt8(ascii: "B"): -60, UInt8(ascii: "C"): 5, UInt8(ascii: "D"): -5,
    ]

    private static let letters: [UInt8: SessionCommand] = [
        UInt8(ascii: " "): .preview(.pause(nil)), UInt8(ascii: "n"): .preview(.skip(1)),
        UInt8(ascii: "p"): .preview(.skip(-1)), UInt8(ascii: "l"): .preview(.loop(nil)),
        UInt8(ascii: "+"): .preview(.gain(by: 1)), UInt8(ascii: "="): .preview(.gain(by: 1)),
        UInt8(ascii: "-"): .preview(.gain(by: -1)), UInt8(ascii: "o"): .set(ParameterChange(.room, .word("toggle"))),
        UInt8(ascii: "r"): .recentre(.yaw), UInt8(ascii: "f"): .recentre(.full), UInt8(ascii: "q"): .quit,
    ]

    /// One line: file, place, time left, level.
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

    /// `1:23` or `1:02:03`.
    static func time(_ seconds: Double) -> String {
        let s = Int(seconds)
        return s < 3600
            ? String(format: "%d:%02d", s / 60, s % 60) : String(format: "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60)
    }
}
