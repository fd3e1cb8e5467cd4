import CKernels
import Signal

/// One slice at both ears in each of up to three filter states, and the crossfades between these states.
package struct StageEars: ~Copyable {
    /// Most states in one slice.
    package static var maximumStates: Int { @_noLocks get { 3 } }
    private let rows: PlanarBlock

    /// Allocates silent slices of `slice` frames.
    package init(slice: Int) { rows = PlanarBlock(channels: 2 * StageEars.maximumStates, frames: slice) }

    /// Returns the samples of one ear (0 left, 1 right) in one state.
    @_noLocks
    package func row(_ state: Int, _ ear: Int) -> UnsafeMutablePointer<Float> { rows[2 * state + ear] }

    /// Writes `count` frames of the slice to both ears, from frame `start` on.
    ///
    /// With several states the slice crossfades linearly from each state to the next over `fade` frames. The next
    /// state's gain at frame i of a fade is i/fade, so that one fade ends where the next begins. A fade longer than the
    /// slice began `elapsed` frames before the slice.
    @_noLocks
    package func mix(
        from start: Int, count: Int, states: Int, fade: Int, elapsed: Int = 0, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        if states == 1 {
            Samples.copy(row(0, 0) + start, to: left, count: count)
            Samples.copy(row(0, 1) + start, to: right, count: count)
            return
        }
        var done = 0
        while done < count {
            let frame = start + done
            let segment = (frame + elapsed) / fade
            let part = min((segment + 1) * fade - frame - elapsed, count - done)
            let (weight, step) = (Float(frame + elapsed - segment * fade) / Float(fade), 1 / Float(fade))
            prk_cross_fade(part, weight, step, row(segment, 0) + frame, row(segment + 1, 0) + frame, left + done)
            prk_cross_fade(part, weight, step, row(segment, 1) + frame, row(segment + 1, 1) + frame, right + done)
            done += part
        }
    }
}
