/// What a control surface can ask of a running session; every binding (OSC, keys, command line) speaks this one set.
package enum SessionCommand: Sendable, Equatable {
    /// Makes where the head points now the front.
    case recentre(Recentring)
    /// Sets a parameter of the table.
    case set(ParameterChange)
    /// Goes on after a lost route, or gives somebody the stage and takes it back.
    case playback(PlaybackCommand)
    /// Moves within the files of a preview, or holds them.
    case preview(PlayerCommand)
    /// Sets stream time 0 and silent history: at the JACK frame given, else with the next period.
    case start(frame: UInt32?)
    /// Asks for the loudness of inputs and ears, or begins integrated loudness, range and maxima anew.
    case loudness(reset: Bool)
    /// Asks for the state.
    case status
    /// Ends the session.
    case quit

    /// Which axes a recentring takes.
    package enum Recentring: String, Sendable, CaseIterable {
        /// Yaw only: the horizon stays level.
        case yaw
        /// All three axes: head and device are level now, and how their trackers say so is how they are fastened.
        case full
        /// Back to the trackers' own zero.
        case reset
    }

    /// What the stage stays with.
    package enum Reference: String, Sendable, CaseIterable {
        /// The device or vehicle: head against device.
        case device
        /// The head tracker's own world, whatever the device does.
        case head
        /// The listener: nothing moves.
        case still = "static"
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
    /// The loudness meters.
    case loudness(LoudnessStatus)
    /// Not done, and why.
    case refused(String)
}
