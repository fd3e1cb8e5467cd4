import CRealtime

/// Source of time of a session: the host's clock, or a clock that a test moves.
package protocol SessionClock: Sendable {
    /// Time in seconds; only differences have a meaning.
    var now: Double { get }
    /// Runs `work` at once and then every `seconds` until the returned beat is cancelled. Each run ends before the next
    /// begins.
    func beat(every seconds: Double, _ work: @escaping @Sendable () async -> Void) -> SessionBeat
    /// Returns after `seconds`, or sooner where the task is cancelled.
    func pause(_ seconds: Double) async
}

/// Work that recurs until it is cancelled.
package struct SessionBeat: Sendable {
    private let stop: @Sendable () -> Void

    /// Creates a beat that `stop` ends; a run under way may still complete.
    package init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

    /// Stops the beat. Idempotent.
    package func cancel() { stop() }
}

/// The host's monotonic clock.
package struct HostClock: SessionClock {
    /// The clock of this machine.
    package init() {}

    /// Seconds since the machine started.
    package var now: Double { Double(prc_monotonic_nanoseconds()) * 1e-9 }

    /// Starts a task that runs `work` and then pauses for `seconds`, repeatedly.
    package func beat(every seconds: Double, _ work: @escaping @Sendable () async -> Void) -> SessionBeat {
        let task = Task {
            while !Task.isCancelled {
                await work()
                await pause(seconds)
            }
        }
        return SessionBeat { task.cancel() }
    }

    /// Pauses; ends early where the task is cancelled.
    package func pause(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
}

/// The memory of this process.
package enum HostMemory {
    /// Returns free memory to the system, as after the release of a stage. Takes some milliseconds; never on the audio
    /// thread.
    package static func returnUnused() { prc_return_memory() }
}
