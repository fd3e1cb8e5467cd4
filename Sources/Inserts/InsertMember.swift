import Signal
import Synchronization

/// One insert, from the side of the thread that controls it: the instances that sound for a place's channels.
///
/// The node belongs to the audio thread from the first plan it is in to the last; both plans hold this object. The
/// meter crosses by a mailbox, whose reading side `seen` guards.
package final class InsertMember: Sendable {
    /// Frames by which plugins that tell their latency may come to be late without being made anew.
    package static let usualLatency = 8192

    /// Channels of its place.
    package let channels: Int
    /// What keeps the instances alive.
    package let keeps: [any AnyObject & Sendable]
    let node: ThreadOwned<InsertNode>
    let longestLatency: Int
    private let meters: LatestValue<InsertMeter>
    private let seen = Mutex(())

    /// Instances over the channels of a place. Which channels go into each and come out is `InsertRouting`'s to say.
    ///
    /// - Parameters:
    ///   - latency: frames by which they are late at first.
    ///   - tellsLatency: whether they may come to be later, up to `usualLatency`: the sound past them is kept for as
    ///     long. Where they may not, less memory is written to in each slice.
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

    /// Has the instances take up in one and the same slice what `ask` asks each of them for; meanwhile they sound on.
    /// Waits for a slice that is being made. One thread at a time, never the audio thread.
    package func together<Failure>(_ ask: () throws(Failure) -> Void) throws(Failure) {
        // An audio thread that is stopped in the middle keeps no thread out for good.
        let isAlone = node.pointee.gate.enter(within: 1)
        defer { if isAlone { node.pointee.gate.leave() } }
        try ask()
    }

    /// What the audio thread saw of it last. Any thread but the audio thread.
    package var meter: InsertMeter { seen.withLock { _ in meters.load() } }
}
