/// Fade-in and fade-out of a sound, from silence to full gain and back. Each takes a fixed number of frames.
///
/// A fade can reverse at any position without a jump. Its gain follows one of two curves: `line` is linear, `smooth` is
/// the curve of `SmoothStep`. The gains are bit-identical, however a stream is divided into calls.
package struct Fade: BitwiseCopyable, Sendable {
    /// Frames from silence to full gain.
    @usableFromInline package let length: Int
    /// Elapsed frames of the fade-in: 0 in silence, `length` at full gain.
    @usableFromInline package private(set) var position: Int

    /// Makes a fade of `length` ≥ 1 frames. It rests at full gain or in silence.
    package init(length: Int, isIn: Bool) {
        self.length = length
        position = isIn ? length : 0
    }

    /// Whether the gain is full.
    @inlinable package var isIn: Bool { @_noLocks get { position == length } }

    /// Whether the gain is 0.
    @inlinable package var isOut: Bool { @_noLocks get { position == 0 } }

    /// Returns the gain on the linear curve, `ahead` ≥ −1 frames from now. −1 is the previous frame, which has the gain
    /// reached so far. `comes` says that the sound fades in; otherwise it fades out.
    @_noLocks
    @inlinable
    package func line(ahead: Int, comes: Bool) -> Float {
        let there = position + (comes ? ahead + 1 : -ahead - 1)
        return Float(min(length, max(0, there))) / Float(length)
    }

    /// Returns the gain on the curve of `SmoothStep`, whose beginning and end are inaudible. The parameters are those
    /// of `line`.
    @_noLocks
    @inlinable
    package func smooth(ahead: Int, comes: Bool) -> Float { SmoothStep.value(line(ahead: ahead, comes: comes)) }

    /// Advances by `count` frames. The sound fades in if `comes` is true; otherwise it fades out.
    @_noLocks
    package mutating func advance(_ count: Int, comes: Bool) {
        position = min(length, max(0, position + (comes ? count : -count)))
    }

    /// Sets full gain or silence without a fade.
    @_noLocks
    package mutating func jump(isIn: Bool) { position = isIn ? length : 0 }
}
