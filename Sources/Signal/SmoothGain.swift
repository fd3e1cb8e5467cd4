/// Gain that moves to a target on the curve of `SmoothStep`, whose beginning and end are inaudible. After the move it
/// equals the target exactly.
///
/// If a target is set during a move, the next move starts at the end of the present one. The slope of the gain is
/// therefore continuous. The gains are bit-identical, however a row is divided into calls.
package struct SmoothGain: BitwiseCopyable {
    /// Gain at the start of the present move.
    private var from: Float
    /// Gain at rest, or target of the present move.
    @usableFromInline package private(set) var target: Float
    /// Target of the next move. It equals `target` if there is none.
    @usableFromInline private(set) var next: Float
    /// Elapsed frames of the present move. It is `length` at the end of the move.
    @usableFromInline private(set) var position: Int
    /// Frames of a move.
    @usableFromInline let length: Int

    /// Makes a gain that rests at `value`. A move takes `seconds`, and at least one frame.
    package init(_ value: Float, seconds: Double = 0.02, sampleRate: Double) {
        (from, target, next) = (value, value, value)
        length = max(1, Int(seconds * sampleRate))
        position = length
    }

    /// Whether the gain has reached its target.
    @inlinable package var rests: Bool { @_noLocks get { position >= length } }

    /// Returns whether the gain rests at `value`.
    @_noLocks
    @inlinable
    package func rests(at value: Float) -> Bool { rests && target == value }

    /// Returns the gain `ahead` ≥ 0 frames from now.
    @_noLocks
    package func value(ahead: Int = 0) -> Float {
        let done = position + ahead
        if done < length { return from + (target - from) * SmoothStep.value(Float(done) / Float(length)) }
        if next == target || done >= 2 * length { return next }
        return target + (next - target) * SmoothStep.value(Float(done - length) / Float(length))
    }

    /// Sets another target. The move begins immediately if the gain rests, otherwise at the end of the present move.
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

    /// Sets the gain to `wanted` without a move.
    @_noLocks
    package mutating func jump(to wanted: Float) {
        (from, target, next) = (wanted, wanted, wanted)
        position = length
    }

    /// Multiplies the next `count` samples by the gain, without advancing it. While the gain rests at 1, samples are
    /// unchanged; while it rests at 0, they become +0.
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

    /// Advances by `count` frames.
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

    /// Begins the next move. `frames` frames of it have already elapsed.
    @_noLocks
    private mutating func setOut(after frames: Int) {
        (from, target) = (target, next)
        position = frames
    }
}

/// Curve of a fade whose beginning and end are inaudible: value, slope and curvature are continuous.
package enum SmoothStep {
    /// Returns the rise from 0 at x = 0 to 1 at x = 1; outside 0…1 the value is constant. The rise is the polynomial
    /// 6x⁵ − 15x⁴ + 10x³ of K. Perlin, Improving noise (2002).
    @_noLocks
    package static func value(_ x: Float) -> Float {
        let x = min(1, max(0, x))
        return x * x * x * (x * (x * 6 - 15) + 10)
    }
}
