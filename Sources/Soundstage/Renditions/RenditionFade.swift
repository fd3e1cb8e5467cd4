import CRealtime
import Signal

/// Crossfade between the multichannel and the stereo rendition of a programme.
///
/// The gains (1 − x, x)/√((1 − x)² + x² + 2·r·x·(1 − x)) keep the power of two signals of equal power and correlation
/// r. For r = 1, the same sound, they add up to 1. For r = 0 the fade has equal power. The course x leads from 0
/// (multichannel) to 1 (stereo). It is 3·s² − 2·s³ of a linear ramp s over time, because a corner at either end would
/// be audible. The output does not depend on how a stream is divided into calls.
struct RenditionFade: BitwiseCopyable {
    private var way: Fade
    /// Whether the fade leads to the stereo rendition, or rests there.
    private var isStereo = false
    private var correlation: Float = 0

    /// Makes a fade that rests at the multichannel rendition. A crossfade takes `length` ≥ 1 frames. If it is reversed,
    /// the way back takes as long as the fade had lasted.
    init(length: Int) { way = Fade(length: length, isIn: false) }

    /// Whether no crossfade is under way.
    var rests: Bool { @_noLocks get { isStereo ? way.isIn : way.isOut } }

    /// Position of the fade: 0 for only the multichannel rendition, 1 for only the stereo rendition.
    var position: Float { @_noLocks get { way.line(ahead: -1, comes: isStereo) } }

    /// Begins a fade to a rendition. The `correlation` of the two renditions, 0…1, determines the gains; it is ignored
    /// while a crossfade is under way.
    @_noLocks
    mutating func aim(stereo: Bool, correlation: Float) {
        if rests { self.correlation = max(0, min(1, correlation)) }
        isStereo = stereo
    }

    /// Switches to a rendition without a fade.
    @_noLocks
    mutating func jump(stereo: Bool) {
        isStereo = stereo
        way.jump(isIn: stereo)
    }

    /// Returns the linear gains `ahead` frames from now.
    @_noLocks
    func gains(ahead: Int) -> (multichannel: Float, stereo: Float) {
        let line = way.line(ahead: ahead - 1, comes: isStereo)
        let x = line * line * (3 - 2 * line)
        let rest = 1 - x
        let norm = 1 / prc_sqrtf(rest * rest + x * x + 2 * correlation * x * rest)
        return (rest * norm, x * norm)
    }

    /// Advances by `frames` frames.
    @_noLocks
    mutating func advance(_ frames: Int) { way.advance(frames, comes: isStereo) }
}
