import Desk
import SavedSessions
import Session

/// Interface to a session manager, which ends and saves a session in place of the command line.
struct SessionPatron: Sendable {
    /// Lock of the session's folder.
    var lock: SessionLock
    /// Called with each remark that is also printed on the terminal.
    var tells: @Sendable (SessionRemark) -> Void
    /// Called when the session plays, with its folder; nil without one.
    var begun: @Sendable (LiveSession, SessionFolder?) async -> Void
}
