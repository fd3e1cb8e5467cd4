@testable import AudioIO

/// Start request of a stage's client in memory, from the request to its answer.
struct MemoryStart {
    private var waiting: CheckedContinuation<Result<UInt32, JACKError>, Never>?
    /// Frame at which the start is requested; nil for the next cycle.
    private var asked: UInt32?

    /// Whether a request is pending.
    var isAsked: Bool { waiting != nil }

    /// Requests a start for a task. Replaces a pending request. Without a driver the request fails.
    mutating func ask(
        at frame: UInt32?, of driver: MemoryDriver?,
        _ continuation: CheckedContinuation<Result<UInt32, JACKError>, Never>
    ) {
        fail(.startReplaced)
        guard let driver else { return continuation.resume(returning: .failure(.serverGone)) }
        (waiting, asked) = (continuation, frame)
        driver.askToStart(at: frame)
    }

    /// Resumes the waiting task when a cycle has handled its request. `now`: frame clock at the newest cycle's first
    /// frame.
    mutating func answer(by driver: MemoryDriver?, now: UInt32) {
        guard let waiting, let driver else { return }
        if let frame = driver.startedFrame {
            waiting.resume(returning: .success(frame))
        } else if driver.missedStart {
            waiting.resume(returning: .failure(.startMissed(asked: asked ?? 0, now: now)))
        } else {
            return
        }
        self.waiting = nil
    }

    /// Lets a pending request fail.
    mutating func fail(_ error: JACKError) {
        waiting?.resume(returning: .failure(error))
        waiting = nil
    }
}
