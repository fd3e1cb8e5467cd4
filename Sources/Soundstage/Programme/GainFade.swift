import Signal

/// A gain that goes in a straight line, over a fixed number of frames, to what was last asked for.
///
/// Where a row is cut into calls makes no difference to a bit of the result.
package struct GainFade: BitwiseCopyable {
    private var from: Float
    private var to: Float
    /// Frames of the present line that are done, `length` at its end.
    private var position: Int
    private let length: Int

    /// A gain that rests at `value`; a change takes `length` ≥ 1 frames.
    package init(_ value: Float, length: Int) {
        (from, to) = (value, value)
        position = length
        self.length = length
    }

    /// The gain `ahead` frames from now, ≥ 0.
    @_noLocks
    package func value(ahead: Int = 0) -> Float {
        let done = position + ahead
        return done >= length ? to : from + (to - from) * Float(done) / Float(length)
    }

    /// Whether the gain has arrived.
    package var rests: Bool { @_noLocks get { position >= length } }

    /// Sets out for another gain from where it is now; nothing where it is bound for it already.
    @_noLocks
    package mutating func aim(at target: Float) {
        guard target != to else { return }
        from = value()
        to = target
        position = 0
    }

    /// Is at `target` at once.
    @_noLocks
    package mutating func jump(to target: Float) {
        (from, to) = (target, target)
        position = length
    }

    /// Multiplies `count` samples by the gain from now on; time stands still until `advance`. Silence is +0.
    @_noLocks
    package func apply(to row: UnsafeMutablePointer<Float>, count: Int) {
        let moving = min(count, length - position)
        for i in 0..<max(0, moving) { row[i] *= value(ahead: i) }
        guard moving < count, to != 1 else { return }
        if to == 0 { return Samples.clear(row + max(0, moving), count: count - max(0, moving)) }
        Samples.scale(row + max(0, moving), by: to, count: count - max(0, moving))
    }

    /// Moves on by `count` frames.
    @_noLocks
    package mutating func advance(_ count: Int) { position = min(length, position + count) }
}
