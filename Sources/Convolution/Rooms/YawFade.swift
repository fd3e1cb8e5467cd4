import CRealtime

/// Remaining part of a linear move between two positions on a table of yaws, as gain ramps of the two audible yaws.
package struct YawFade: BitwiseCopyable, Sendable {
    /// Frames for which both gains are linear: until the next yaw of the table, or to the end of the wanted frames.
    package let frames: Int
    /// Index of the yaw below the position, which continues past full turns as in `YawSpan`. The other audible yaw is
    /// `low` + 1.
    private let low: Int
    /// Position at the next frame.
    private let position: Double
    /// Change of the position per frame.
    private let step: Double

    /// Makes the remaining part of a move from `start` to `end` over `frames` frames. `passed` of them are over, and
    /// `wanted` come next.
    @_noLocks
    package init(from start: Double, to end: Double, frames: Int, passed: Int, wanted: Int) {
        step = (end - start) / Double(frames)
        position = start + step * Double(passed)
        let below = prc_floor(position)
        // A downward move that starts exactly at a yaw lies between that yaw and the one below it.
        let isLeaving = step < 0 && below == position
        low = Int(below) - (isLeaving ? 1 : 0)
        let way = step > 0 ? Double(low + 1) - position : position - Double(low)
        let reached = step == 0 ? Double(wanted) : prc_floor(way / abs(step)) + 1
        self.frames = reached < Double(wanted) ? Int(reached) : wanted
    }

    /// Returns the gain of a span's yaw `index` at the next frame, and its increment per frame.
    @_noLocks
    package func gain(of index: Int, in span: YawSpan) -> (gain: Float, step: Float) {
        switch span.low + index {
        case low: (Float(1 - (position - Double(low))), Float(-step))
        case low + 1: (Float(position - Double(low)), Float(step))
        default: (0, 0)
        }
    }
}
