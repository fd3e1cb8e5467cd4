import Signal
import Synchronization

/// Control side of one insert: the instances of its plugin for the channels of one place (`InsertPlaces`).
///
/// The node belongs to the audio thread from the first to the last plan that contains it. The records of these plans
/// keep this object in memory. The meter arrives through a mailbox; the lock `seen` protects the mailbox's reading
/// side.
package final class InsertMember: Sendable {
    /// Largest latency, frames, that a plugin which reports its latency may reach before new instances are needed.
    package static let usualLatency = 8192

    /// Number of channels of the insert's place.
    package let channels: Int
    /// Objects that keep the instances in memory.
    package let keeps: [any AnyObject & Sendable]
    let node: ThreadOwned<InsertNode>
    let longestLatency: Int
    private let meters: LatestValue<InsertMeter>
    private let seen = Mutex(())

    /// Makes an insert from instances for the channels of a place. `routing` assigns the channels to inputs and
    /// outputs.
    ///
    /// - Parameters:
    ///   - latency: Initial latency of the instances, frames.
    ///   - tellsLatency: Whether the plugin reports its latency, which may then grow up to `usualLatency`. If not, the
    ///     delay line of the dry path is shorter, and less memory is written in each slice.
    ///   - keeps: Objects that keep the instances in memory.
    package init(
        _ processors: [PluginProcessor], routing: InsertRouting, latency: Int, tellsLatency: Bool = true,
        sampleRate: SampleRate, slice: Int, keeping keeps: [any AnyObject & Sendable]
    ) {
        channels = routing.channels
        self.keeps = keeps
        longestLatency = tellsLatency ? max(latency, InsertMember.usualLatency) : latency
        meters = LatestValue(InsertMeter())
        node = ThreadOwned(
            InsertNode(
                processors, routing: routing, longestLatency: longestLatency, slice: slice, sampleRate: sampleRate,
                meters: meters))
    }

    deinit {
        node.deallocate()
        meters.deallocate()
    }

    /// Runs `ask`, which requests a change of each instance. Meanwhile the instances keep running, but apply no
    /// request, so that all of them apply the change in the same slice afterwards. The call waits up to 1 s for a slice
    /// in progress. It must be called by one thread at a time, never by the audio thread.
    package func together<Failure>(_ ask: () throws(Failure) -> Void) throws(Failure) {
        // The timeout limits the wait for an audio thread that was stopped inside the gate; `ask` then runs without the
        // gate.
        let isAlone = node.pointee.gate.enter(within: 1)
        defer { if isAlone { node.pointee.gate.leave() } }
        try ask()
    }

    /// Newest meter from the audio thread. It may be read on any thread except the audio thread.
    package var meter: InsertMeter { seen.withLock { _ in meters.load() } }
}
