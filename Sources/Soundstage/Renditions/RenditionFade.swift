import CRealtime
import Signal

/// Crossfade between the two renditions.
///
/// The gains (1 − x, x)/√((1 − x)² + x² + 2·r·x·(1 − x)) keep the power of two signals of equal power and correlation
/// r. For r = 1, the same sound, they add up to 1. For r = 0 the fade has equal power. The course x leads from 0
/// (multichannel) to 1 (stereo). It is 3·s² − 2·s³ of a linear ramp s over time, because a corner at either end would
/// be audible. The output does not depend on how a stream is divided into calls.
struct RenditionFade: BitwiseCopyable {
    private var way: StraightFade
    private var correlation: Float = 0

    /// Makes a fade that rests at the multichannel rendition. A crossfade takes `length` ≥ 1 frames.
    init(length: Int) { way = StraightFade(0, length: length) }

    /// Whether no crossfade is under way.
    var rests: Bool { @_noLocks get { way.rests } }

    /// Position of the fade: 0 for only the multichannel rendition, 1 for only the stereo rendition.
    var position: Float { @_noLocks get { way.value() } }

    /// Begins a fade to a rendition. The `correlation` of the two renditions, 0…1, determines the gains; it is ignored
    /// while a crossfade is under way.
    @_noLocks
    mutating func aim(stereo: Bool, correlation: Float) {
        if way.rests { self.correlation = max(0, min(1, correlation)) }
        way.aim(at: stereo ? 1 : 0)
    }

    /// Switches to a rendition without a fade.
    @_noLocks
    mutating func jump(stereo: Bool) { way.jump(to: stereo ? 1 : 0) }

    /// Returns the linear gains `ahead` frames from now.
    @_noLocks
    func gains(ahead: Int) -> (multichannel: Float, stereo: Float) {
        let line = way.value(ahead: ahead)
        let x = line * line * (3 - 2 * line)
        let rest = 1 - x
        let norm = 1 / prc_sqrtf(rest * rest + x * x + 2 * correlation * x * rest)
        return (rest * norm, x * norm)
    }

    /// Advances by `frames` frames.
    @_noLocks
    mutating func advance(_ frames: Int) { way.advance(frames) }
}

/// Value that moves to its target in a linear ramp over a fixed number of frames.
///
/// The result is bit-identical, however a row is divided into calls.
private struct StraightFade: BitwiseCopyable {
    private var from: Float
    private var to: Float
    /// Elapsed frames of the present ramp. It is `length` at the end.
    private var position: Int
    private let length: Int

    /// Makes a value at rest. A change takes `length` ≥ 1 frames.
    init(_ value: Float, length: Int) {
        (from, to) = (value, value)
        position = length
        self.length = length
    }

    /// Returns the value `ahead` ≥ 0 frames from now.
    @_noLocks
    func value(ahead: Int = 0) -> Float {
        let done = position + ahead
        return done >= length ? to : from + (to - from) * Float(done) / Float(length)
    }

    /// Whether the value has reached its target.
    var rests: Bool { @_noLocks get { position >= length } }

    /// Begins a ramp from the present value to another target. Has no effect if that is already the target.
    @_noLocks
    mutating func aim(at target: Float) {
        guard target != to else { return }
        from = value()
        to = target
        position = 0
    }

    /// Sets the value to `target` without a ramp.
    @_noLocks
    mutating func jump(to target: Float) {
        (from, to) = (target, target)
        position = length
    }

    /// Advances by `count` frames.
    @_noLocks
    mutating func advance(_ count: Int) { position = min(length, position + count) }
}
