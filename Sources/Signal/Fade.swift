/// How far a sound that comes and goes has come in: from silence to full gain in a fixed number of frames, and back.
///
/// It turns round wherever it is, so there is never a jump. How loud that is, is one of two courses: `line`, straight,
/// and `smooth`, that of `SmoothStep`. Where a stream is cut into calls makes no difference to a bit.
package struct Fade: BitwiseCopyable, Sendable {
    /// Frames from silence to full gain.
    @usableFromInline package let length: Int
    /// Frames of the fade that are done: 0 in silence, `length` at full gain.
    @usableFromInline package private(set) var position: Int

    /// A fade of `length` ≥ 1 frames that rests at full gain or in silence.
    package init(length: Int, isIn: Bool) {
        self.length = length
        position = isIn ? length : 0
    }

    /// Whether it is at full gain.
    @inlinable package var isIn: Bool { @_noLocks get { position == length } }

    /// Whether it is in silence.
    @inlinable package var isOut: Bool { @_noLocks get { position == 0 } }

    /// The gain of the frame `ahead` ≥ 0 frames from now in a straight line, where the sound comes in or goes.
    @_noLocks
    @inlinable
    package func line(ahead: Int, comes: Bool) -> Float {
        let there = position + (comes ? ahead + 1 : -ahead - 1)
        return Float(min(length, max(0, there))) / Float(length)
    }

    /// The same on the course that no ear hears begin or end.
    @_noLocks
    @inlinable
    package func smooth(ahead: Int, comes: Bool) -> Float { SmoothStep.value(line(ahead: ahead, comes: comes)) }

    /// Moves on by `count` frames.
    @_noLocks
    package mutating func advance(_ count: Int, comes: Bool) {
        position = min(length, max(0, position + (comes ? count : -count)))
    }

    /// Is at full gain, or in silence, at once.
    @_noLocks
    package mutating func jump(isIn: Bool) { position = isIn ? length : 0 }
}
