import CRealtime

/// Where a session has its time from: the host's clock, or a test's hand.
package protocol SessionClock: Sendable {
    /// Seconds; only differences mean something.
    var now: Double { get }
    /// Has `work` done at once and then every so many seconds, until the answer is cancelled. One beat's work ends
    /// before the next begins.
    func beat(every seconds: Double, _ work: @escaping @Sendable () async -> Void) -> SessionBeat
    /// Returns after so many seconds, sooner where the task is cancelled.
    func pause(_ seconds: Double) async
}

/// Work that recurs until it is cancelled.
package struct SessionBeat: Sendable {
    private let stop: @Sendable () -> Void

    /// Work that `stop` ends; what is under way may still come to its end.
    package init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

    /// Ends it. Idempotent.
    package func cancel() { stop() }
}

/// The host's monotonic clock.
package struct HostClock: SessionClock {
    /// The clock of this machine.
    package init() {}

    /// Seconds since the machine started.
    package var now: Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }

    /// A task that works and then rests `seconds`.
    package func beat(every seconds: Double, _ work: @escaping @Sendable () async -> Void) -> SessionBeat {
        let task = Task {
            while !Task.isCancelled {
                await work()
                await pause(seconds)
            }
        }
        return SessionBeat { task.cancel() }
    }

    /// Rests; less where its task is cancelled.
    package func pause(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
}

/// The memory of this process.
package enum HostMemory {
    /// Gives what is free back to the system, as after a stage was released. Some milliseconds; never the audio thread.
    package static func returnUnused() { prc_return_memory() }
}
