import Signal

/// A gain that goes to what was asked for on the course of `SmoothStep`, so that no ear hears it begin or end, and is
/// exactly that once it has arrived.
///
/// What is asked for while it moves is heard of when it rests: its course never has a corner. Where a row is cut into
/// calls makes no difference to a bit.
struct SmoothGain: BitwiseCopyable {
    /// Seconds from one gain to the next.
    static var seconds: Double { 0.02 }

    private var from: Float
    /// Where it rests, or is bound for.
    private(set) var target: Float
    /// Frames of the present course that are done, `length` at its end.
    private var position: Int
    private let length: Int

    /// A gain that rests at `value`.
    init(_ value: Float, sampleRate: Double) {
        (from, target) = (value, value)
        length = max(1, Int(SmoothGain.seconds * sampleRate))
        position = length
    }

    /// Whether the gain has arrived.
    var rests: Bool { @_noLocks get { position >= length } }

    /// Whether it rests at `value`.
    @_noLocks
    func rests(at value: Float) -> Bool { rests && target == value }

    /// The gain `ahead` frames from now, ≥ 0.
    @_noLocks
    func value(ahead: Int = 0) -> Float {
        let done = position + ahead
        if done >= length { return target }
        return from + (target - from) * SmoothStep.value(Float(done) / Float(length))
    }

    /// Sets out for another gain; nothing while it moves.
    @_noLocks
    mutating func aim(at wanted: Float) {
        guard rests, wanted != target else { return }
        from = target
        target = wanted
        position = 0
    }

    /// Is at `wanted` at once.
    @_noLocks
    mutating func jump(to wanted: Float) {
        (from, target) = (wanted, wanted)
        position = length
    }

    /// Multiplies `count` samples by the gain from now on; time stands still until `advance`. At rest at 1 nothing is
    /// done, at 0 the samples are +0.
    @_noLocks
    func apply(to row: UnsafeMutablePointer<Float>, count: Int) {
        let moving = max(0, min(count, length - position))
        for i in 0..<moving { row[i] *= value(ahead: i) }
        guard moving < count, target != 1 else { return }
        if target == 0 {
            Samples.clear(row + moving, count: count - moving)
        } else {
            Samples.scale(row + moving, by: target, count: count - moving)
        }
    }

    /// Moves on by `count` frames.
    @_noLocks
    mutating func advance(_ count: Int) { position = min(length, position + count) }
}
