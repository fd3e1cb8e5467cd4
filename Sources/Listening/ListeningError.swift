/// Why a listening test cannot be held or judged.
package enum ListeningError: Error, Equatable, CustomStringConvertible {
    /// So many sets were named; there have to be at least two and at most `ListeningPlan.mostSets`.
    case setCount(Int)
    /// A set was named twice.
    case namedTwice(String)
    /// A confidence outside what can be asked for.
    case confidence(Double)
    /// A number of rounds outside what can be asked for.
    case rounds(Int)
    /// A sheet cannot be read.
    case unreadable(path: String, reason: String)
    /// A file is no answer sheet, or one that was changed beyond its answers.
    case notASheet(path: String, reason: String)
    /// A sheet cannot be written.
    case unwritable(path: String, reason: String)
    /// A sheet that is taken up again is of other sets.
    case otherSets(path: String, sheet: [String], asked: [String])
    /// A sheet that is to be filled in cannot be taken up again by ear.
    case toFillIn(path: String)

    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .setCount(let count):
            "a comparison takes 2 to \(ListeningPlan.mostSets) sets, not \(count); 'proscenium hrtf list' shows what is there"
        case .namedTwice(let name): "'\(name)' is named twice; name different sets"
        case .confidence(let value): "--confidence must lie between 0.5 and 0.999, not \(value)"
        case .rounds(let count): "--rounds must lie between 1 and \(ListeningPlan.mostRounds), not \(count)"
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
        case .notASheet(let path, let reason): "\(path) is no answer sheet of a listening test: \(reason)"
        case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)"
        case .otherSets(let path, let sheet, let asked):
            "\(path) is of \(sheet.joined(separator: ", ")), not of \(asked.joined(separator: ", ")); name the same sets, or none"
        case .toFillIn(let path): "\(path) is to be filled in; 'proscenium hrtf compare --evaluate \(path)' judges it"
        }
    }
}
