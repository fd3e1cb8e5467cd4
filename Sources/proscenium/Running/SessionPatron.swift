import Desk
import SavedSessions
import Session

/// A program that has a session play in place of the command line: it ends it, and says when it is saved.
struct SessionPatron: Sendable {
    /// The session's folder, which was taken already.
    var lock: SessionLock
    /// Told what the person at the terminal is told.
    var tells: @Sendable (SessionRemark) -> Void
    /// Told when it plays, with its folder where it has one.
    var begun: @Sendable (LiveSession, SessionFolder?) async -> Void
}
