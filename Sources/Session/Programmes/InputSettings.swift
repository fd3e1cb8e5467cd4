import Geometry
import Signal
import Soundstage

/// An input beside the main one, in the words of the command line: `NAME=LAYOUT[,key=value...]`.
package struct InputSettings: Sendable, Hashable {
    /// The name by which ports and commands know it.
    package var name: String
    /// A layout's name or a JSON file of loudspeakers.
    package var layout: String
    /// What it is to the listener.
    package var role: ProgrammeRole
    /// What kind it is; nil: as the session's.
    package var content: ProgrammeContent?
    /// dB.
    package var level: Double
    /// Where its front is on the stage, degrees: positive left, up, right side down.
    package var yaw: Double, pitch: Double, roll: Double
    /// Over which angle each of its sources is spread, degrees, 0…180.
    package var width = 0.0
    /// How loud it is made, and how its dynamics are compressed.
    package var dynamics = DynamicsSettings()

    /// What it does to the others while it is connected; nil: nothing.
    package var interrupts: InterruptionEffect?

    /// The keys there are, for help and complaints.
    package static let keys =
        "role=tracked|fixed|direct, content=av|audio, level=dB, place=YAW[:PITCH[:ROLL]] (degrees), source-width=0…180 (degrees), "
        + "interrupts=duck:dB|pause, " + DynamicsSettings.keys

    /// Reads `talk=mono,role=direct,level=-6`.
    ///
    /// - Throws: a usage error that says which word is at fault.
    package init(parsing text: String) throws(SessionError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let head = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard head.count == 2, !head[1].isEmpty else {
            throw SessionError(
                .usage, "an input is NAME=LAYOUT[,key=value...], as talk=mono,role=direct; not '\(text)'")
        }
        guard InputSettings.isName(head[0]) else {
            throw SessionError(
                .usage, "'\(head[0])' cannot name an input: up to 16 letters, digits, '_' or '-', and not 'main'")
        }
        (name, layout) = (head[0], head[1])
        (role, content, level) = (.tracked, nil, 0)
        (yaw, pitch, roll) = (0, 0, 0)
        for part in parts.dropFirst() {
            let words = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard words.count == 2, read(key: words[0], value: words[1]) else {
                throw SessionError(.usage, "'\(part)' says nothing about an input; there are \(InputSettings.keys)")
            }
        }
    }

    /// Takes one key; false where key or value are none.
    private mutating func read(key: String, value: String) -> Bool {
        switch key {
        case "role":
            guard let role = ProgrammeRole(rawValue: value) else { return false }
            self.role = role
        case "content":
            guard let content = ProgrammeContent(rawValue: value) else { return false }
            self.content = content
        case "level":
            guard let level = Double(value), (-120...40).contains(level) else { return false }
            self.level = level
        case "place":
            let angles = value.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
            guard (1...3).contains(angles.count), angles.allSatisfy({ (-360...360).contains($0) }) else { return false }
            yaw = angles[0]
            pitch = angles.count > 1 ? angles[1] : 0
            roll = angles.count > 2 ? angles[2] : 0
        case "source-width", "width":
            guard let width = Double(value), (0...180).contains(width) else { return false }
            self.width = width
        case "interrupts":
            guard let effect = InterruptionEffect(value) else { return false }
            interrupts = effect
        default: return dynamics.read(key: key, value: value)
        }
        return true
    }

    /// Whether a word can stand in port names and addresses; `main` is taken.
    private static func isName(_ word: String) -> Bool {
        let isSafe = word.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
        return isSafe && (1...16).contains(word.utf8.count) && word != "main"
    }
}
