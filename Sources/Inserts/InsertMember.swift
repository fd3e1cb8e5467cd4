import Signal
import Synchronization

/// Control side of one insert: the instances of its plugin for a place's channels.
///
/// The node belongs to the audio thread from the first plan with it to the last; the records of both plans hold this
/// object. The meter crosses by a mailbox, whose reading side `seen` guards.
package final class InsertMember: Sendable {
    /// Latency, in frames, up to which a plugin that reports its latency may grow without being made anew.
    package static let usualLatency = 8192

    /// Channels of its place.
    package let channels: Int
    /// Objects that keep the instances alive.
    package let keeps: [any AnyObject & Sendable]
    let node: ThreadOwned<InsertNode>
    let longestLatency: Int
    private let meters: LatestValue<InsertMeter>
    private let seen = Mutex(())

    /// Makes an insert of instances for the channels of a place. `InsertRouting` assigns channels to inputs and
    /// outputs.
    ///
    /// - Parameters:
    ///   - latency: initial latency of the instances, frames.
    ///   - tellsLatency: whether the latency may grow, up to `usualLatency`: the dry path can then be delayed by as
    ///     much. Without it, less memory is written in each slice.
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

    /// Runs `ask`, which requests a change of each instance, so that all apply it in the same slice; meanwhile they run
    /// on. Waits for a slice in progress. One thread at a time, never the audio thread.
    package func together<Failure>(_ ask: () throws(Failure) -> Void) throws(Failure) {
        // The timeout bounds the wait for an audio thread that was stopped inside the gate.
        let isAlone = node.pointee.gate.enter(within: 1)
        defer { if isAlone { node.pointee.gate.leave() } }
        try ask()
    }

    /// Newest meter from the audio thread. Any thread but the audio thread.
    package var meter: InsertMeter { seen.withLock { _ in meters.load() } }
}
