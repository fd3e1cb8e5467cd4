import HeadTracking

/// What a control surface can ask of a running session; every binding (OSC, keys, command line) speaks this one set.
package enum SessionCommand: Sendable, Equatable {
    /// Makes where the head points now the front.
    case recentre(HeadTracker.Recentring)
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
