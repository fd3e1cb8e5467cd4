import Geometry
import Loading
import Signal
import Soundstage

/// An additional input, in the syntax of the command line: `NAME=LAYOUT[,key=value...]`.
package struct InputSettings: Sendable, Hashable {
    /// Name in ports and commands.
    package var name: String
    /// A layout's name or a JSON file of loudspeakers.
    package var layout: String
    /// Role of the input: it stays with the stage, stays with the head, or bypasses the stage.
    package var role: ProgrammeRole
    /// Kind of the content; nil for that of the session.
    package var content: ProgrammeContent?
    /// Initial parameters, such as level and place, except those of `dynamics`.
    package var changes: [ParameterChange] = []
    /// Loudness normalisation and compression.
    package var dynamics = DynamicsSettings()

    /// Effect on the other inputs while it is connected; nil without one.
    package var interrupts: InterruptionEffect?

    /// Law of the upmix of the input's stereo; nil if its channels are not upmixed. Layout and look-ahead are those of
    /// the session's upmix.
    package var upmix: UpmixMode?

    /// Valid keys, for help and error messages.
    package static let keys = "interrupts (duck:dB, pause), upmix (identity, energy, matrix), \(commonKeys)"

    /// Keys that inputs and effects have in common.
    package static let commonKeys =
        "role (tracked, fixed, direct), content (av, audio), and of the table of parameters "
        + choices.map(\.id).joined(separator: ", ")

    /// Parameters that an input can be given at the start.
    private static let choices = Parameter.all.filter { $0.isOfInputs && $0.isChoice && $0.group != .upmix }

    /// Reads `talk=mono,role=direct,level=-6`.
    ///
    /// - Throws: a usage error that names the faulty word.
    package init(parsing text: String) throws(SessionError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        try self.init(
            head: parts[0], else: "an input is NAME=LAYOUT[,key=value...], as talk=mono,role=direct; not '\(text)'")
        for part in parts.dropFirst() where try !take(part) {
            throw SessionError(.usage, "'\(part)' is no key of an input; the keys are \(InputSettings.keys)")
        }
    }

    /// Reads `NAME=LAYOUT`, to which `take` adds keys; throws a usage error with the text `complaint` if `text` has
    /// another form.
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

    /// Reads `key=value`. Returns false if the text has another form; otherwise like `read(key:value:)`.
    package mutating func take(_ part: String) throws(SessionError) -> Bool {
        let words = part.split(separator: "=", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return false }
        return try read(key: words[0], value: words[1])
    }

    /// Reads one key. Returns false if the key is unknown, or the value of `role`, `content`, `interrupts` or `upmix`
    /// is invalid. Throws a usage error if the value of a parameter is invalid.
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
        case "upmix":
            guard let law = UpmixMode(rawValue: value) else { return false }
            upmix = law
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

    /// Returns whether a word is valid in port names and addresses; `main` is reserved.
    private static func isName(_ word: String) -> Bool {
        let isSafe = word.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
        return isSafe && (1...16).contains(word.utf8.count) && word != "main"
    }
}
