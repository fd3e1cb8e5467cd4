/// Result of a command with a sound file.
package struct UseOfSound: Codable, Sendable {
    /// The command.
    package let command: String
    /// Result in a few words, or the reason of a refusal.
    package let result: String
    /// Whether the file is refused without further options.
    package let isRefused: Bool
    /// Command line that works; if none is known, the refused one.
    package let line: String
}
