/// Commands for recordings of the binaural output during playback.
package enum RecordCommand: Sendable, Equatable {
    /// Starts a take in a file. If the file exists, the take gets the next free number. Nil: the next take under the
    /// last name, which is `ears.wav` before the first take.
    case start(file: String?)
    /// Completes the take.
    case stop
    /// Starts or completes a take; nil toggles. Has no effect if the state is already reached.
    case turn(on: Bool?)
    /// Sets a marker at the sound that is heard now. Nil: the marker's number is its name.
    case marker(name: String?)

    /// Greatest length of a marker's name, bytes; all formats can store it.
    package static let longestName = 250
    /// Greatest length of a file path, bytes.
    package static let longestPath = 4000
    /// Default file of the first take.
    package static let usualFile = "ears.wav"

    /// Returns a marker's name in one line, without white space at its ends; nil if it is empty or too long.
    package static func name(_ said: String) -> String? {
        let line = said.map { $0.isNewline || $0 == "\t" || $0 == "\0" ? " " : $0 }
        let name = String(line).split(separator: " ").joined(separator: " ")
        return name.isEmpty || name.utf8.count > longestName ? nil : name
    }
}
