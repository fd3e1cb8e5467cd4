/// What a control surface can ask of a running session; every binding (OSC, keys, command line) speaks this one set.
package enum SessionCommand: Sendable, Equatable {
    /// Makes where the head points now the front.
    case recentre(Recentring)
    /// Sets stream time 0 and silent history: at the JACK frame given, else with the next period.
    case start(frame: UInt32?)
    /// Asks for the state.
    case status
    /// Ends the session.
    case quit

    /// Which axes a recentring takes.
    package enum Recentring: String, Sendable, CaseIterable {
        /// Yaw only: the horizon stays level.
        case yaw
        /// All three axes.
        case full
    }
}

/// What a session answers.
package enum SessionReply: Sendable {
    /// Done; nothing to tell.
    case done
    /// Stream time 0 was this JACK frame; it is heard at `heardAt`, seconds of the monotonic clock.
    case started(frame: UInt32, heardAt: Double)
    /// The state.
    case status(SessionStatus)
    /// Not done, and why.
    case refused(String)
}
