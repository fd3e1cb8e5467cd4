import Geometry
import Loading
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
    /// What is said of it by the table of parameters: level, place, width and so on.
    package var changes: [ParameterChange] = []
    /// How loud it is made, and how its dynamics are compressed.
    package var dynamics = DynamicsSettings()

    /// What it does to the others while it is connected; nil: nothing.
    package var interrupts: InterruptionEffect?

    /// The keys there are, for help and complaints.
    package static let keys = "interrupts (duck:dB, pause), \(commonKeys)"

    /// The same of what nothing is connected to.
    package static let commonKeys =
        "role (tracked, fixed, direct), content (av, audio), and of the table of parameters "
        + choices.map(\.id).joined(separator: ", ")

    /// What of the table of parameters an input may be given from the start.
    private static let choices = Parameter.all.filter { $0.isOfInputs && $0.isChoice && $0.group != .upmix }

    /// Reads `talk=mono,role=direct,level=-6`.
    ///
    /// - Throws: a usage error that says which word is at fault.
    package init(parsing text: String) throws(SessionError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        try self.init(
            head: parts[0], else: "an input is NAME=LAYOUT[,key=value...], as talk=mono,role=direct; not '\(text)'")
        for part in parts.dropFirst() where try !take(part) {
            throw SessionError(.usage, "'\(part)' says nothing about an input; there are \(InputSettings.keys)")
        }
    }

    /// Reads `NAME=LAYOUT`, to which `take` adds; `complaint` where it is none.
    package init(head text: String, else complaint: String) throws(SessionError) {
        let head = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard head.count == 2, !head[1].isEmpty else { throw SessionError(.usage, complaint) }
        guard InputSettings.isName(head[0]) else {
            throw SessionError(
                .usage, "'\(head[0])' cannot name an input: up to 16 letters, digits, '_' or '-', and not 'main'")
        }
        (name, layout) = (head[0], head[1])
        (role, content) = (.tracked, nil)
    }

    /// Takes `key=value`; false where it says nothing about an input.
    package mutating func take(_ part: String) throws(SessionError) -> Bool {
        let words = part.split(separator: "=", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return false }
        return try read(key: words[0], value: words[1])
    }

    /// Takes one key; false where key or value are none.
    private mutating func read(key: String, value: String) throws(SessionError) -> Bool {
        switch key {
        case "role":
            guard let role = ProgrammeRole(rawValue: value) else { return false }
            self.role = role
        case "content":
            guard let content = ProgrammeContent(rawValue: value) else { return false }
            self.content = content
        case "interrupts":
            guard let effect = InterruptionEffect(value) else { return false }
            interrupts = effect
        default:
            guard let parameter = Parameter.named(key), Self.choices.contains(where: { $0.id == parameter.id }) else {
                return false
            }
            do throws(ParameterError) {
                let change = try ParameterChange(key, [value])
                if case .dynamics(let set) = parameter.effect {
                    set(&dynamics, change.value)
                } else {
                    changes.append(change)
                }
            } catch {
                throw SessionError(.usage, "input '\(name)': \(error)")
            }
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
