/// A gain that goes to what was asked for on the course of `SmoothStep`, so that no ear hears it begin or end, and is
/// exactly that once it has arrived.
///
/// What is asked for while it moves is its next course, which begins where the present one ends: there is never a
/// corner. Where a row is cut into calls makes no difference to a bit.
package struct SmoothGain: BitwiseCopyable {
    private var from: Float
    /// Where it rests, or is bound for.
    @usableFromInline package private(set) var target: Float
    /// Where it goes next; `target` where it is to rest there.
    @usableFromInline private(set) var next: Float
    /// Frames of the present course that are done, `length` at its end.
    @usableFromInline private(set) var position: Int
    @usableFromInline let length: Int

    /// A gain that rests at `value`; a course takes so many seconds, one frame at least.
    package init(_ value: Float, seconds: Double = 0.02, sampleRate: Double) {
        (from, target, next) = (value, value, value)
        length = max(1, Int(seconds * sampleRate))
        position = length
    }

    /// Whether the gain has arrived.
    @inlinable package var rests: Bool { @_noLocks get { position >= length } }

    /// Whether it rests at `value`.
    @_noLocks
    @inlinable
    package func rests(at value: Float) -> Bool { rests && target == value }

    /// The gain `ahead` frames from now, ≥ 0.
    @_noLocks
    package func value(ahead: Int = 0) -> Float {
        let done = position + ahead
        if done < length { return from + (target - from) * SmoothStep.value(Float(done) / Float(length)) }
        if next == target || done >= 2 * length { return next }
        return target + (next - target) * SmoothStep.value(Float(done - length) / Float(length))
    }

    /// Sets out for another gain, as soon as it rests.
    @_noLocks
    @inlinable
    package mutating func aim(at wanted: Float) {
        if wanted == next { return }
        turn(to: wanted)
    }

    @_noLocks
    @usableFromInline
    mutating func turn(to wanted: Float) {
        next = wanted
        if rests && wanted != target { setOut(after: 0) }
    }

    /// Is at `wanted` at once.
    @_noLocks
    package mutating func jump(to wanted: Float) {
        (from, target, next) = (wanted, wanted, wanted)
        position = length
    }

    /// Multiplies `count` samples by the gain from now on; time stands still until `advance`. At rest at 1 nothing is
    /// done, at 0 the samples are +0.
    @_noLocks
    package func apply(to row: UnsafeMutablePointer<Float>, count: Int) {
        let moves = next == target ? length - position : 2 * length - position
        let moving = max(0, min(count, moves))
        for i in 0..<moving { row[i] *= value(ahead: i) }
        guard moving < count, next != 1 else { return }
        if next == 0 {
            Samples.clear(row + moving, count: count - moving)
        } else {
            Samples.scale(row + moving, by: next, count: count - moving)
        }
    }

    /// Moves on by `count` frames.
    @_noLocks
    @inlinable
    package mutating func advance(_ count: Int) {
        if rests && next == target { return }
        go(on: count)
    }

    @_noLocks
    @usableFromInline
    mutating func go(on count: Int) {
        position = min(2 * length, position + count)
        if position >= length && next != target { setOut(after: position - length) }
        position = min(length, position)
    }

    /// Begins the next course, of which so many frames are done.
    @_noLocks
    private mutating func setOut(after frames: Int) {
        (from, target) = (target, next)
        position = frames
    }
}

/// The course of a fade that no ear hears begin or end: value, slope and curvature are continuous.
package enum SmoothStep {
    /// From 0 at 0 to 1 at 1; beyond them it stays. The polynomial 6x⁵ − 15x⁴ + 10x³ of K. Perlin, Improving noise
    /// (2002).
    @_noLocks
    package static func value(_ x: Float) -> Float {
        let x = min(1, max(0, x))
        return x * x * x * (x * (x * 6 - 15) + 10)
    }
}
