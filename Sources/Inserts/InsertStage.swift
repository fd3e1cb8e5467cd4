import CRealtime
import Signal
import Synchronization

/// All plugin chains on the audio thread, place by place (`InsertPlaces`).
///
/// The rendering code uses the stage by pointer. `InsertRenderer` makes the stage, publishes plans to it and frees it.
/// A change begins at the beginning of a slice. New inserts run unheard until their output has settled. Then all places
/// fade at the same frames of the sound, so parallel paths stay aligned.
package struct InsertStage: ~Copyable {
    /// Buffer for a place's channels on the path through its new chain.
    private let room: PlanarBlock
    /// A slice of zeros, the fade, and a slice of ones. A fade may thus begin and end inside a call.
    private let curve: UnsafeMutablePointer<Float>
    private let fadeLength: Int
    private let slice: Int
    private let exchange: UnsafeMutablePointer<InsertExchange>
    private(set) var plan: UnsafeMutablePointer<InsertPlan>?
    private(set) var phase = InsertPhase.steady
    /// Elapsed frames of the present phase.
    private(set) var position = 0
    /// Whether there is no deadline. Plugins then complete their workers' work within the call.
    private var offline = false

    /// Makes a stage whose places have at most `channels` channels.
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

    /// Latency of the ears' chain, frames. During a change it is between the old and the new latency.
    package var afterEars: Double {
        @_noLocks get {
            guard let plan else { return 0 }
            return now(plan.pointee.fromEars, plan.pointee.toEars)
        }
    }

    /// Latency of the chains up to the ears, frames. During a change it is between the old and the new latency.
    package var beforeEars: Double {
        @_noLocks get {
            guard let plan else { return 0 }
            return now(plan.pointee.fromWay, plan.pointee.toWay)
        }
    }

    /// Returns the present value between `from`, before the plan's change, and `to`, after it, by the crossfade.
    @_noLocks
    private func now(_ from: Int, _ to: Int) -> Double {
        guard let plan, phase != .steady else { return Double(to) }
        return Double(from) + Double(to - from) * Double(weights(lag: plan.pointee.longestLag)[0])
    }

    /// Returns the share of the new chain in each frame from now on, for a place that fades `lag` frames later.
    @_noLocks
    private func weights(lag: Int) -> UnsafePointer<Float> {
        let begun = phase == .fading ? position - lag : -slice
        return UnsafePointer(curve + slice + max(-slice, min(begun, fadeLength)))
    }

    /// Whether no chain has an insert. During a change this holds for the chains before and after the change.
    package var isEmpty: Bool { @_noLocks get { if let plan { plan.pointee.isEmpty } else { true } } }

    /// Whether no chain before the ears has an insert. During a change this holds for the chains before and after it.
    package var isClearBeforeEars: Bool {
        @_noLocks get { if let plan { plan.pointee.isClearBeforeEars } else { true } }
    }

    /// Takes the published plan, unless a change is under way. Call at the beginning of a slice. `atOnce`: whether
    /// there was no output yet, so that nothing fades. `offline`: whether there is no deadline.
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

    /// Resets to silence and completes a change that is under way. With `offline` the plugins are reset too.
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

    /// Processes `count` frames of one place's channels through its chain, in place. The frames must not pass the end
    /// of the slice. Call it for each place, then `advance`. Cost: none without a chain and a delay.
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

    /// Processes a place's channels during a change. From the first insert that differs before and after the change, or
    /// else from the delay on, there are two paths, each with its own delay. The place's output is a crossfade of both.
    /// An insert on both paths has one state, so it can have only one input, and the paths are crossfaded before this
    /// insert. They are split again after it if its mode or latency changes.
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

    /// Begins the new path with the samples of the old one.
    @_noLocks
    private func split(_ rows: UnsafePointer<UnsafeMutablePointer<Float>>, _ channels: Int, count: Int) {
        for channel in 0..<channels { Samples.copy(rows[channel], to: room[channel], count: count) }
    }

    /// Crossfades both paths into one.
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

    /// Advances by the `count` frames that all places have processed.
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
