/// Reason why a listening test cannot be held or evaluated.
package enum ListeningError: Error, Equatable, CustomStringConvertible {
    /// The number of HRTF sets is below two or above `ListeningPlan.mostSets`.
    case setCount(Int)
    /// A set was named twice.
    case namedTwice(String)
    /// The confidence is out of its range, 0.5...0.999.
    case confidence(Double)
    /// The number of rounds is out of its range, 1...`ListeningPlan.mostRounds`.
    case rounds(Int)
    /// A sheet cannot be read.
    case unreadable(path: String, reason: String)
    /// A file is no answer sheet, an answer in it is invalid, or other parts of it were changed.
    case notASheet(path: String, reason: String)
    /// A sheet cannot be written.
    case unwritable(path: String, reason: String)
    /// A sheet to be resumed compares other sets than those named.
    case otherSets(path: String, sheet: [String], asked: [String])
    /// A sheet that is filled in by hand cannot be continued as a running test.
    case toFillIn(path: String)

    /// The fault and its remedy.
    package var description: String {
        switch self {
        case .setCount(let count):
            "a comparison takes 2 to \(ListeningPlan.mostSets) sets, not \(count); 'proscenium hrtf list' shows the installed sets"
        case .namedTwice(let name): "'\(name)' is named twice; name different sets"
        case .confidence(let value): "--confidence must lie between 0.5 and 0.999, not \(value)"
        case .rounds(let count): "--rounds must lie between 1 and \(ListeningPlan.mostRounds), not \(count)"
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
        case .notASheet(let path, let reason): "\(path) is no answer sheet of a listening test: \(reason)"
        case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)"
        case .otherSets(let path, let sheet, let asked):
            "\(path) compares \(sheet.joined(separator: ", ")), not \(asked.joined(separator: ", ")); name the same sets, or "
                + "none"
        case .toFillIn(let path):
            "\(path) is filled in by hand; 'proscenium hrtf compare --evaluate \(path)' evaluates it"
        }
    }
}
