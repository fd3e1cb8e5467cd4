import CRealtime
import Signal
import Synchronization

/// All chains of plugins of a stage on the audio thread, place by place.
///
/// Reached by pointer from the graph; made, published to and freed by `InsertRenderer`. A change is taken over at the
/// beginning of a slice, runs unheard until what is new stands, and then fades in all places in the same frames: so
/// parallel ways stay aligned while it lasts.
package struct InsertStage: ~Copyable {
    /// Room for a row of each place's channels, where they are delayed.
    private let room: PlanarBlock
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

    init(exchange: UnsafeMutablePointer<InsertExchange>, sampleRate: SampleRate, slice: Int) {
        self.exchange = exchange
        self.slice = slice
        let curve = InsertFade.curve(sampleRate: sampleRate)
        fadeLength = curve.count
        // The fade may end inside a piece, whose rest is the new alone.
        self.curve = .allocate(capacity: curve.count + slice)
        self.curve.initialize(repeating: 1, count: curve.count + slice)
        self.curve.update(from: curve, count: curve.count)
        room = PlanarBlock(channels: 2, frames: slice)
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

    /// Where a number is that changes with the plan.
    @_noLocks
    private func now(_ from: Int, _ to: Int) -> Double {
        switch phase {
        case .priming: Double(from)
        case .steady: Double(to)
        case .fading: Double(from) + Double(to - from) * Double(curve[min(position, fadeLength - 1)])
        }
    }

    /// Whether there is any chain, or was before the change under way.
    package var isEmpty: Bool { @_noLocks get { if let plan { plan.pointee.isEmpty } else { true } } }

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

    /// Passes `count` frames, at most to the end of the slice, of one place's channels through its chain, in place. Each
    /// place in turn; then `advance`. Cost: nothing where there is no chain.
    @_noLocks
    package mutating func process(
        place: Int, _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
    ) {
        guard let plan, place < plan.pointee.count else { return }
        let slot = plan.pointee.slots[place]
        let weights: UnsafePointer<Float>? = phase == .fading ? UnsafePointer(curve + min(position, fadeLength)) : nil
        for index in 0..<slot.count {
            var entry = slot.entries[index]
            if phase == .steady {
                if entry.change.to == .absent { continue }
                entry.change.from = entry.change.to
                entry.change.fromLatency = entry.change.toLatency
            }
            entry.node.pointee.process(rows, entry.change, weights: weights, count: count, offline: offline)
        }
        delay(slot, rows, weights: weights, count: count)
    }

    /// Makes a place as late as the others.
    @_noLocks
    private func delay(
        _ slot: InsertSlot, _ rows: UnsafePointer<UnsafeMutablePointer<Float>>, weights: UnsafePointer<Float>?,
        count: Int
    ) {
        let keepsOld = phase != .steady && slot.fromLine != slot.toLine
        for channel in 0..<slot.channels {
            if keepsOld { slot.fromLine?.pointee.write(rows[channel], channel: channel, count: count) }
            slot.toLine?.pointee.write(rows[channel], channel: channel, count: count)
        }
        if keepsOld { slot.fromLine?.pointee.advance(count) }
        slot.toLine?.pointee.advance(count)
        let isSame = slot.fromLine == slot.toLine && slot.fromDelay == slot.toDelay
        for channel in 0..<slot.channels {
            let row = rows[channel]
            let (line, late) = phase == .steady ? (slot.toLine, slot.toDelay) : (slot.fromLine, slot.fromDelay)
            guard let weights, !isSame else {
                line?.pointee.read(channel: channel, delay: late, to: row, count: count)
                continue
            }
            let (old, new) = (room[0], room[1])
            Samples.copy(row, to: old, count: count)
            Samples.copy(row, to: new, count: count)
            line?.pointee.read(channel: channel, delay: late, to: old, count: count)
            slot.toLine?.pointee.read(channel: channel, delay: slot.toDelay, to: new, count: count)
            for i in 0..<count { row[i] = old[i] + (new[i] - old[i]) * weights[i] }
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
        } else if phase == .fading && position >= fadeLength {
            phase = .steady
            exchange.pointee.done(plan.pointee.serial)
        }
    }
}
