import Synchronization

/// The preparation step of a session, for all control interfaces. It is available before a stage exists. All functions
/// may be called on any thread.
package final class PhaseBoard: Sendable {
    private let step = Mutex<(what: String, since: ContinuousClock.Instant)?>(nil)

    /// Creates a board with nothing in preparation.
    package init() {}

    /// Updates the preparation step from a session's remark.
    package func take(_ remark: SessionRemark) {
        switch remark {
        case .preparing(let what): step.withLock { $0 = (what, .now) }
        case .ready: step.withLock { $0 = nil }
        case .note: break
        }
    }

    /// Returns the status of a phase, with the step in preparation unless the session ends.
    package func status(in phase: SessionPhase) -> PhaseStatus {
        guard let step = step.withLock({ $0 }), phase != .ending else { return PhaseStatus(phase) }
        return PhaseStatus(phase, preparing: step.what, for: (ContinuousClock.now - step.since) / .seconds(1))
    }

    /// Returns the reply to a command while there is no stage, the same on all control interfaces: the phase for
    /// `status`, a refusal with the phase for every other command.
    package func answer(to command: SessionCommand, in phase: SessionPhase) -> SessionReply {
        if command == .status { return .phase(status(in: phase)) }
        if phase == .ending { return .refused(SessionReply.ending) }
        let preparing = status(in: phase).preparing.map { " (\($0))" } ?? ""
        return .refused("the session is \(phase.rawValue)\(preparing); ask again when its status says 'running'")
    }
}
