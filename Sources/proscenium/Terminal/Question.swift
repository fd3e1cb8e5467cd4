import Foundation
import SavedSessions
import Session

/// A question to the user at the terminal, before anything plays or is written.
struct Question {
    /// Descriptor from which the answer is read.
    var keyboard: Int32 = STDIN_FILENO
    /// Shows the question.
    var show: (String) -> Void = { LineOutput.standardError.write($0) }

    /// Whether a terminal is attached for the question.
    var canBeAsked: Bool { Terminal.isOurs(keyboard) }

    /// Asks a question; any answer but `y` or `yes` counts as no.
    func isAnsweredYes(_ question: String) -> Bool {
        show(question + " [y/N] ")
        return ["y", "yes"].contains(answer().lowercased())
    }

    /// Asks whether a session from another source may write files elsewhere and listen to other machines.
    func agrees(to reach: SessionReach) -> Bool {
        isAnsweredYes(
            "This session was not saved here by you, and would write files elsewhere or listen to other machines: "
                + reach.parts.map(\.words).joined(separator: "; ") + ". Permit that?")
    }

    /// Returns the next line of the keyboard, at most 256 bytes, and reads nothing beyond it; empty at the end of
    /// input.
    private func answer() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < 256 {
            let count = read(keyboard, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
}
