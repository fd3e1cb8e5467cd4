import Loading
import Session
import Takes

/// Asks whether files may be replaced.
struct ReplacementQuestion {
    /// The terminal.
    var question = Question()
    /// Names that a question tells one by one.
    private static let few = 3

    /// Asks for those outputs that are files already; where there is no terminal to ask at, or the answer is no, that
    /// is an error.
    func settle(_ outputs: [String]) throws(SessionError) -> Replacement {
        let former = Replacement.nothing.obstacles(among: outputs)
        guard let first = former.first else { return .nothing }
        guard question.canBeAsked else { throw SessionError(TakeError.exists(path: first)) }
        let names = former.prefix(Self.few).joined(separator: ", ")
        let more = former.count > Self.few ? " and \(former.count - Self.few) more" : ""
        let words =
            former.count == 1
            ? "\(names) is there already. Replace it?" : "\(names)\(more) are there already. Replace them?"
        guard question.isAnsweredYes(words) else {
            throw SessionError(.usage, "\(names)\(more): left as \(former.count == 1 ? "it is" : "they are")")
        }
        return Replacement(former)
    }
}
