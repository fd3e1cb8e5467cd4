/// Commands for the recording of the ears during playback.
package enum RecordCommand: Sendable, Equatable {
    /// Starts a take in a file; where the file exists, the take gets the next free number. nil: the next take under the
    /// last name, at first `ears.wav`.
    case start(file: String?)
    /// Completes the take.
    case stop
    /// Starts or completes a take; nil toggles. A state already reached stays.
    case turn(on: Bool?)
    /// Sets a marker at the sound heard now; nil: its number is its name.
    case marker(name: String?)

    /// Greatest length of a marker's name, bytes; all formats can store it.
    package static let longestName = 250
    /// Greatest length of a file path, bytes.
    package static let longestPath = 4000
    /// Default file of the first take.
    package static let usualFile = "ears.wav"

    /// Returns a marker's name in one line, without white space at its ends; nil where nothing is left.
    package static func name(_ said: String) -> String? {
        let line = said.map { $0.isNewline || $0 == "\t" || $0 == "\0" ? " " : $0 }
        let name = String(line).split(separator: " ").joined(separator: " ")
        return name.isEmpty || name.utf8.count > longestName ? nil : name
    }
}
