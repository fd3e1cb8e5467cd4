import CRealtime
import Signal

/// How one rendition passes into the other.
///
/// Gains (1 − x, x)/√((1 − x)² + x² + 2·r·x·(1 − x)) keep the power of two signals of equal power whose correlation is
/// r: for the same sound, r = 1, they add up to 1; for sounds that have nothing in common they are those of equal
/// power. The way x from 0 (multichannel) to 1 (stereo) is 3·s² − 2·s³ of a straight line s in time: a corner at either
/// end would be a bend in the sound. Where a stream is cut makes no difference.
struct RenditionFade: BitwiseCopyable {
    private var way: StraightFade
    private var correlation: Float = 0

    /// At rest on the multichannel rendition; a passage takes `length` ≥ 1 frames.
    init(length: Int) { way = StraightFade(0, length: length) }

    /// Whether no passage is under way.
    var rests: Bool { @_noLocks get { way.rests } }

    /// Whether nothing but the stereo rendition, or but the multichannel one, is heard: 1 or 0.
    var position: Float { @_noLocks get { way.value() } }

    /// Sets out for a rendition; `correlation` of the two, 0…1, decides the law unless a passage is under way.
    @_noLocks
    mutating func aim(stereo: Bool, correlation: Float) {
        if way.rests { self.correlation = max(0, min(1, correlation)) }
        way.aim(at: stereo ? 1 : 0)
    }

    /// Is there at once.
    @_noLocks
    mutating func jump(stereo: Bool) { way.jump(to: stereo ? 1 : 0) }

    /// The gains `ahead` frames from now.
    @_noLocks
    func gains(ahead: Int) -> (multichannel: Float, stereo: Float) {
        let line = way.value(ahead: ahead)
        let x = line * line * (3 - 2 * line)
        let rest = 1 - x
        let norm = 1 / prc_sqrtf(rest * rest + x * x + 2 * correlation * x * rest)
        return (rest * norm, x * norm)
    }

    /// Moves on.
    @_noLocks
    mutating func advance(_ frames: Int) { way.advance(frames) }
}

/// A value that goes in a straight line, over a fixed number of frames, to what was last asked for.
///
/// Where a row is cut into calls makes no difference to a bit of the result.
private struct StraightFade: BitwiseCopyable {
    private var from: Float
    private var to: Float
    /// Frames of the present line that are done, `length` at its end.
    private var position: Int
    private let length: Int

    /// A value that rests at `value`; a change takes `length` ≥ 1 frames.
    init(_ value: Float, length: Int) {
        (from, to) = (value, value)
        position = length
        self.length = length
    }

    /// The value `ahead` frames from now, ≥ 0.
    @_noLocks
    func value(ahead: Int = 0) -> Float {
        let done = position + ahead
        return done >= length ? to : from + (to - from) * Float(done) / Float(length)
    }

    /// Whether it has arrived.
    var rests: Bool { @_noLocks get { position >= length } }

    /// Sets out for another value from where it is now; nothing where it is bound for it already.
    @_noLocks
    mutating func aim(at target: Float) {
        guard target != to else { return }
        from = value()
        to = target
        position = 0
    }

    /// Is at `target` at once.
    @_noLocks
    mutating func jump(to target: Float) {
        (from, to) = (target, target)
        position = length
    }

    /// Moves on by `count` frames.
    @_noLocks
    mutating func advance(_ count: Int) { position = min(length, position + count) }
}
