import Synchronization

/// What a session prepares, for all doors: it stands here before there is a stage that could be asked. Any thread.
package final class PhaseBoard: Sendable {
    private let step = Mutex<(what: String, since: ContinuousClock.Instant)?>(nil)

    /// Nothing is being prepared.
    package init() {}

    /// Takes note of what a session says of its preparation.
    package func take(_ remark: SessionRemark) {
        switch remark {
        case .preparing(let what): step.withLock { $0 = (what, .now) }
        case .ready: step.withLock { $0 = nil }
        case .note: break
        }
    }

    /// The state in a phase, with what is being prepared.
    package func status(in phase: SessionPhase) -> PhaseStatus {
        guard let step = step.withLock({ $0 }), phase != .ending else { return PhaseStatus(phase) }
        return PhaseStatus(phase, preparing: step.what, for: (ContinuousClock.now - step.since) / .seconds(1))
    }

    /// What is answered to a command where no stage can be asked, the same at all doors: `status` is answered with the
    /// phase, all else is refused with it.
    package func answer(to command: SessionCommand, in phase: SessionPhase) -> SessionReply {
        if command == .status { return .phase(status(in: phase)) }
        if phase == .ending { return .refused(SessionReply.ending) }
        let preparing = status(in: phase).preparing.map { " (\($0))" } ?? ""
        return .refused("the session is \(phase.rawValue)\(preparing); ask again when its status says 'running'")
    }
}
