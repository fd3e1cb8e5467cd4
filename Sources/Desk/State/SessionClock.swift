import Glibc
import Signal
import Synchronization

/// Source of time of a session: the host's clock, or a clock that a test moves.
package protocol SessionClock: Sendable {
    /// Time in seconds; only differences have a meaning.
    var now: Double { get }
    /// Runs `work` at once and then again and again until the returned timer is cancelled. Each run ends before the
    /// next begins. `work` returns the number of intervals of `seconds` until its next run, at least 1.
    /// `SessionBeat.hurry` shortens that time.
    func beat(every seconds: Double, _ work: @escaping @Sendable () async -> Int) -> SessionBeat
    /// Returns after `seconds`, or earlier if the task is cancelled.
    func pause(_ seconds: Double) async
}

/// Timer that runs work again and again until it is cancelled.
package struct SessionBeat: Sendable {
    private let stop: @Sendable () -> Void
    private let wake: @Sendable () -> Void

    /// Creates a timer that `stop` ends; a run in progress may still complete. `wake` starts the next run early.
    package init(stop: @escaping @Sendable () -> Void, wake: @escaping @Sendable () -> Void = {}) {
        (self.stop, self.wake) = (stop, wake)
    }

    /// Starts the next run now, or within an interval after the end of a run in progress. Has no effect without `wake`.
    package func hurry() { wake() }

    /// Stops the timer. Idempotent.
    package func cancel() { stop() }
}

/// The host's monotonic clock.
package struct HostClock: SessionClock {
    /// The clock of this machine.
    package init() {}

    /// Seconds since the machine started, without times of suspension.
    package var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Starts a thread that starts a task for each run. This needs two wake-ups for a run; a task with pauses would
    /// need four. If the system cannot create a thread, a task with pauses is used.
    package func beat(every seconds: Double, _ work: @escaping @Sendable () async -> Int) -> SessionBeat {
        let worker = Worker(name: "session beat")
        do throws(WorkerError) { try worker.start { Self.beat($0, every: seconds, work) } } catch {
            let task = Task {
                while !Task.isCancelled { await pause(Double(await work()) * seconds) }
            }
            return SessionBeat { task.cancel() }
        }
        return SessionBeat {
            worker.end()
        } wake: {
            worker.wake()
        }
    }

    /// Runs `work` until the worker ends.
    private static func beat(_ worker: Worker, every seconds: Double, _ work: @escaping @Sendable () async -> Int) {
        let run = BeatRun()
        while !worker.isEnding {
            guard run.begin() else {
                // The last run has not ended: tries again after one interval.
                worker.rest(seconds)
                continue
            }
            Task {
                // The worker rests as long as the previous run requested, and is woken if this run requests less.
                if run.end(await work()) { worker.wake() }
            }
            worker.rest(seconds * Double(run.intervals))
        }
    }

    /// Pauses; returns early if the task is cancelled.
    package func pause(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
}

/// Whether a run of a timer is in progress, and the number of intervals that the last run requested.
private final class BeatRun: Sendable {
    private let isUnderWay = Atomic<Bool>(false)
    private let asked = Atomic<Int>(1)

    /// Marks a run as in progress. Returns false if another one is.
    func begin() -> Bool { !isUnderWay.exchange(true, ordering: .acquiring) }

    /// Ends a run. Returns whether it requested fewer intervals than the previous one.
    func end(_ intervals: Int) -> Bool {
        let before = asked.exchange(max(1, intervals), ordering: .relaxed)
        isUnderWay.store(false, ordering: .releasing)
        return max(1, intervals) < before
    }

    /// Number of intervals to wait.
    var intervals: Int { asked.load(ordering: .relaxed) }
}
