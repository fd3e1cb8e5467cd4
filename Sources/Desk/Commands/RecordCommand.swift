/// What can be asked of the recording of the ears while a session plays.
package enum RecordCommand: Sendable, Equatable {
    /// Begins a take in a file, or, where there is one of that name, in that of the next free number; nil: the next
    /// take of the last name, `ears.wav` at first.
    case start(file: String?)
    /// Completes the take.
    case stop
    /// Begins a take, or completes it, or (nil) does the other of the two; what is so already stays so.
    case turn(on: Bool?)
    /// Sets a marker at what is heard now; nil: named by its number.
    case marker(name: String?)

    /// Bytes of a marker's name at most: what all formats hold.
    package static let longestName = 250
    /// Bytes of a file's name with its folders at most.
    package static let longestPath = 4000
    /// The default file of the first take.
    package static let usualFile = "ears.wav"

    /// The name of a marker as it can be written: in one line, without white space at its ends;
    /// nil where there is none.
    package static func name(_ said: String) -> String? {
        let line = said.map { $0.isNewline || $0 == "\t" || $0 == "\0" ? " " : $0 }
        let name = String(line).split(separator: " ").joined(separator: " ")
        return name.isEmpty || name.utf8.count > longestName ? nil : name
    }
}
