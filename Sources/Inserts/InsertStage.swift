import CRealtime
import Signal
import Synchronization

/// All chains of plugins of a stage on the audio thread, place by place.
///
/// Reached by pointer from the graph; made, published to and freed by `InsertRenderer`. A change is taken over at the
/// beginning of a slice, runs unheard until what is new stands, and then fades in all places in the same frames: so
/// parallel ways stay aligned while it lasts.
package struct InsertStage: ~Copyable {
    /// Room for a place's channels on the way through its chain as it will be.
    private let room: PlanarBlock
    /// A slice of 0, the fade, and a slice of 1: a fade may begin and end inside a piece.
    private let curve: UnsafeMutablePointer<Float>
    private let fadeLength: Int
    private let slice: Int
    private let exchange: UnsafeMutablePointer<InsertExchange>
    private(set) var plan: UnsafeMutablePointer<InsertPlan>?
    private(set) var phase = InsertPhase.steady
    /// Frames of the present phase that are done.
    private(set) var position = 0
    /// Workers do their work at once, and nothing is late.
    private var offline = false

    /// Stages whose places have at most `channels` channels.
    init(
        exchange: UnsafeMutablePointer<InsertExchange>, channels: Int, sampleRate: SampleRate, slice: Int
    ) {
        self.exchange = exchange
        self.slice = slice
        let fade = InsertFade.curve(sampleRate: sampleRate)
        fadeLength = fade.count
        let weights = [Float](repeating: 0, count: slice) + fade + [Float](repeating: 1, count: slice)
        curve = .allocate(capacity: weights.count)
        curve.initialize(from: weights, count: weights.count)
        room = PlanarBlock(channels: channels, frames: slice)
    }

    deinit { curve.deallocate() }

    /// Frames by which chains after the ears make the sound late; in between while that changes.
    package var afterEars: Double {
        @_noLocks get {
            guard let plan else { return 0 }
            return now(plan.pointee.fromEars, plan.pointee.toEars)
        }
    }

    /// Frames by which chains on the way to the ears make the sound late; in between while that changes.
    package var beforeEars: Double {
        @_noLocks get {
            guard let plan else { return 0 }
            return now(plan.pointee.fromWay, plan.pointee.toWay)
        }
    }

    /// Where a number is that changes with the plan, as it is heard.
    @_noLocks
    private func now(_ from: Int, _ to: Int) -> Double {
        guard let plan, phase != .steady else { return Double(to) }
        return Double(from) + Double(to - from) * Double(weights(lag: plan.pointee.longestLag)[0])
    }

    /// The share of the new in each frame from the present one on, in a place that fades `lag` frames later.
    @_noLocks
    private func weights(lag: Int) -> UnsafePointer<Float> {
        let begun = phase == .fading ? position - lag : -slice
        return UnsafePointer(curve + slice + max(-slice, min(begun, fadeLength)))
    }

    /// Whether there is any chain, or was before the change under way.
    package var isEmpty: Bool { @_noLocks get { if let plan { plan.pointee.isEmpty } else { true } } }

    /// The same without those at the ears.
    package var isClearBeforeEars: Bool {
        @_noLocks get { if let plan { plan.pointee.isClearBeforeEars } else { true } }
    }

    /// Takes over what was published, where nothing is changing. At the beginning of a slice; `atOnce`: nothing has
    /// sounded yet, so nothing fades. `offline`: time does not press.
    @_noLocks
    package mutating func beginSlice(atOnce: Bool, offline: Bool) {
        self.offline = offline
        guard phase == .steady else { return }
        guard let next = exchange.pointee.take() else { return }
        if let old = plan { exchange.pointee.retire(old) }
        plan = next
        position = 0
        phase = atOnce || !next.pointee.changes ? .steady : next.pointee.priming > 0 ? .priming : .fading
        if phase == .steady { exchange.pointee.done(next.pointee.serial) }
    }

    /// Begins anew with silence: a change that was under way is done. `offline`: plugins begin anew too.
    @_noLocks
    package mutating func restart(offline: Bool) {
        guard let plan else { return }
        if phase != .steady { exchange.pointee.done(plan.pointee.serial) }
        phase = .steady
        for index in 0..<plan.pointee.count {
            let slot = plan.pointee.slots[index]
            slot.fromLine?.pointee.restart()
            slot.toLine?.pointee.restart()
            for entry in 0..<slot.count where slot.entries[entry].change.to != .absent {
                slot.entries[entry].node.pointee.restart(offline: offline)
            }
        }
    }

    /// Passes `count` frames, at most to the end of the slice, of one place's channels through its chain, in place.
    /// Each place in turn; then `advance`. Cost: nothing where there is no chain.
    @_noLocks
    package mutating func process(
        place: Int, _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
    ) {
        guard let plan, place < plan.pointee.count else { return }
        let slot = plan.pointee.slots[place]
        guard phase == .steady else { return change(slot, rows, weights: weights(lag: slot.lag), count: count) }
        for index in 0..<slot.count {
            let (node, change) = (slot.entries[index].node, slot.entries[index].change)
            guard change.isNew else { continue }
            node.pointee.hear(rows, latency: change.toLatency, count: count, offline: offline)
            node.pointee.give(to: rows, change.to, latency: change.toLatency, count: count)
        }
        slot.toLine?.pointee.pass(rows, delay: slot.toDelay, count: count)
    }

    /// Passes a place's channels through its chain while that changes: from the first insert that is not the same
    /// before and after on there are two ways, each with its own delay, and what leaves the place is a crossfade of
    /// both. An insert that both ways pass has one memory and hears one sound: they are crossfaded before it, and part
    /// again behind it where it changes, too.
    @_noLocks
    private func change(
        _ slot: InsertSlot, _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, weights: UnsafePointer<Float>,
        count: Int
    ) {
        var isSplit = false
        for index in 0..<slot.count {
            let (node, change) = (slot.entries[index].node, slot.entries[index].change)
            if change.isOld && change.isNew {
                if isSplit { join(rows, slot.channels, weights, count: count) }
                node.pointee.hear(rows, latency: change.toLatency, count: count, offline: offline)
                if !change.isNone {
                    node.pointee.give(to: room.pointers, change.to, latency: change.toLatency, count: count)
                }
                node.pointee.give(to: rows, change.from, latency: change.fromLatency, count: count)
                isSplit = !change.isNone
                continue
            }
            if !isSplit { split(rows, slot.channels, count: count) }
            isSplit = true
            let (way, mode, latency) =
                change.isOld
                ? (rows, change.from, change.fromLatency)
                : (UnsafePointer(room.pointers), change.to, change.toLatency)
            node.pointee.hear(way, latency: latency, count: count, offline: offline)
            node.pointee.give(to: way, mode, latency: latency, count: count)
        }
        if !isSplit && slot.fromLine != slot.toLine {
            split(rows, slot.channels, count: count)
            isSplit = true
        }
        slot.fromLine?.pointee.pass(rows, delay: slot.fromDelay, count: count)
        guard isSplit else { return }
        slot.toLine?.pointee.pass(room.pointers, delay: slot.toDelay, count: count)
        join(rows, slot.channels, weights, count: count)
    }

    /// Begins the way of the new where that of the old is.
    @_noLocks
    private func split(_ rows: UnsafePointer<UnsafeMutablePointer<Float>>, _ channels: Int, count: Int) {
        for channel in 0..<channels { Samples.copy(rows[channel], to: room[channel], count: count) }
    }

    /// Makes one of both ways.
    @_noLocks
    private func join(
        _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, _ channels: Int, _ weights: UnsafePointer<Float>,
        count: Int
    ) {
        for channel in 0..<channels {
            let (old, new) = (rows[channel], room[channel])
            for i in 0..<count { old[i] += (new[i] - old[i]) * weights[i] }
        }
    }

    /// Goes on by the `count` frames that all places have passed.
    @_noLocks
    package mutating func advance(_ count: Int) {
        guard let plan, phase != .steady else { return }
        position += count
        if phase == .priming && position >= plan.pointee.priming {
            phase = .fading
            position = 0
        } else if phase == .fading && position >= fadeLength + plan.pointee.longestLag {
            phase = .steady
            exchange.pointee.done(plan.pointee.serial)
        }
    }
}
