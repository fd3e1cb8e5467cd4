import Synchronization

/// How far a session has come.
package enum SessionPhase: String, Codable, Sendable {
    /// What it is to play is being prepared; nothing is heard yet.
    case starting
    /// It plays.
    case running
    /// Its JACK server is gone or runs at another rate; it plays again when a stage stands there.
    case recovering
    /// It was asked to end, or cannot go on.
    case ending
}

/// The state of a session that has no stage yet, or none any more, as `ctl status --json` shows it.
package struct PhaseStatus: Codable, Sendable, Equatable {
    /// How far it has come.
    package var phase: SessionPhase
    /// What is being prepared, as `preparing the room 'studio'`; nil: that is not known.
    package var preparing: String?
    /// Seconds for which that has been going on.
    package var preparingFor: Double?
    /// What came in through the doors; nil in answers that do not come through the queue of commands.
    package var control: ControlCounts?

    /// A phase, and what is prepared in it.
    package init(_ phase: SessionPhase, preparing: String? = nil, for seconds: Double? = nil) {
        (self.phase, self.preparing, preparingFor) = (phase, preparing, seconds)
    }

    /// The same in words: `starting: preparing the room 'studio'`.
    package var words: String { phase.rawValue + (preparing.map { ": " + $0 } ?? "") }
}

/// What a session prepares, for all doors: it stands here before there is a stage that could be asked. Any thread.
package final class PhaseBoard: Sendable {
    private let step = Mutex<(what: String, since: ContinuousClock.Instant)?>(nil)

    /// Nothing is being prepared.
    init() {}

    /// Takes note of what a session says of its preparation.
    func take(_ remark: SessionRemark) {
        switch remark {
        case .preparing(let what): step.withLock { $0 = (what, .now) }
        case .ready: step.withLock { $0 = nil }
        case .note: break
        }
    }

    /// The state in a phase, with what is being prepared.
    func status(in phase: SessionPhase) -> PhaseStatus {
        guard let step = step.withLock({ $0 }), phase != .ending else { return PhaseStatus(phase) }
        return PhaseStatus(phase, preparing: step.what, for: (ContinuousClock.now - step.since) / .seconds(1))
    }

    /// What is answered to a command where no stage can be asked, the same at all doors: `status` is answered with the
    /// phase, all else is refused with it.
    func answer(to command: SessionCommand, in phase: SessionPhase) -> SessionReply {
        if command == .status { return .phase(status(in: phase)) }
        if phase == .ending { return .refused(SessionReply.ending) }
        let preparing = status(in: phase).preparing.map { " (\($0))" } ?? ""
        return .refused("the session is \(phase.rawValue)\(preparing); ask again when its status says 'running'")
    }
}
