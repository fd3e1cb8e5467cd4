import Loading
import Offline
import Takes

extension OutputChoice {
    /// Replaces files that an earlier run of the same test left.
    static var replacing: OutputChoice { OutputChoice(decide: { (_) throws(SessionError) in .anything }) }
}
