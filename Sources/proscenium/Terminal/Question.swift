import Foundation
import Session

/// Questions to the user at the terminal, before anything plays.
enum Question {
    /// Whether somebody sits at a terminal that this process may read.
    static var canBeAsked: Bool { isatty(2) == 1 && Terminal.isOurs(0) }

    /// Asks; anything but yes is no.
    static func isAnsweredYes(_ question: String) -> Bool {
        LineOutput.standardError.write("\(question) [y/N] ")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Asks for what a session's folder does beyond sound.
    static func agrees(to reach: SessionReach) -> Bool {
        isAnsweredYes(
            "This session was not saved here by you, and reaches beyond sound: "
                + reach.parts.map(\.words).joined(separator: "; ") + ". Have it done?")
    }
}
