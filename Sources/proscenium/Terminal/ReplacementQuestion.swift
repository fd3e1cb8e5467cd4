import Loading
import Session
import Takes

/// Asks whether files may be replaced.
struct ReplacementQuestion {
    /// The question's terminal.
    var question = Question()
    /// Greatest number of names that a question lists.
    private static let few = 3

    /// Asks whether outputs that exist already may be replaced. Throws if there is one and no terminal, and if the
    /// answer is no.
    func settle(_ outputs: [String]) throws(SessionError) -> Replacement {
        let former = Replacement.nothing.obstacles(among: outputs)
        guard let first = former.first else { return .nothing }
        guard question.canBeAsked else { throw SessionError(TakeError.exists(path: first)) }
        let names = former.prefix(Self.few).joined(separator: ", ")
        let more = former.count > Self.few ? " and \(former.count - Self.few) more" : ""
        let words =
            former.count == 1
            ? "\(names) exists already. Replace it?" : "\(names)\(more) exist already. Replace them?"
        guard question.isAnsweredYes(words) else {
            throw SessionError(.usage, "\(names)\(more): left as \(former.count == 1 ? "it is" : "they are")")
        }
        return Replacement(former)
    }
}
