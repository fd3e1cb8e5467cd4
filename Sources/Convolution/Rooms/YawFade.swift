import CRealtime

/// The rest of a straight way between two positions on a table of yaws, as the weights of the yaws follow it.
package struct YawFade: BitwiseCopyable, Sendable {
    /// Frames for which the two weights are linear: up to the next yaw of the table, or to the end.
    package let frames: Int
    /// The yaw below, counted on past a full turn like `YawSpan`'s; the other one heard is the next.
    private let low: Int
    private let position: Double
    private let step: Double

    /// The way from `start` to `end` over `frames` frames, `passed` of which are over and `wanted` of which come now.
    @_noLocks
    package init(from start: Double, to end: Double, frames: Int, passed: Int, wanted: Int) {
        step = (end - start) / Double(frames)
        position = start + step * Double(passed)
        let below = prc_floor(position)
        // A head that turns back from a yaw is on the way to the one below.
        let isLeaving = step < 0 && below == position
        low = Int(below) - (isLeaving ? 1 : 0)
        let way = step > 0 ? Double(low + 1) - position : position - Double(low)
        let reached = step == 0 ? Double(wanted) : prc_floor(way / abs(step)) + 1
        self.frames = reached < Double(wanted) ? Int(reached) : wanted
    }

    /// The gain of a span's yaw at the next frame, and what each further one adds.
    @_noLocks
    package func gain(of index: Int, in span: YawSpan) -> (gain: Float, step: Float) {
        switch span.low + index {
        case low: (Float(1 - (position - Double(low))), Float(-step))
        case low + 1: (Float(position - Double(low)), Float(step))
        default: (0, 0)
        }
    }
}
