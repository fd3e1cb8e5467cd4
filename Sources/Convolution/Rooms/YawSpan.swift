import CRealtime

/// Neighbouring yaws of a table: `low`, `low` + 1 … `low` + `count` − 1. Their indices continue past full turns.
///
/// Positions on the table are real numbers. At position p, yaw k has the gain max(0, 1 − |p − k|). At most two
/// neighbours are therefore audible, and their gains add up to 1.
package struct YawSpan: BitwiseCopyable, Sendable, Hashable {
    /// Most yaws in one span.
    package static var most: Int { @_noLocks get { 4 } }

    /// The first yaw.
    package var low: Int
    /// Number of yaws, 1…`most`.
    package var count: Int

    /// Makes the span of the yaws that are audible at a position.
    @_noLocks
    package init(at position: Double) { self.init(from: position, to: position) }

    /// Makes the span of the yaws that are audible between two positions. If there are more than `most`, the span has
    /// those nearest to `start`.
    @_noLocks
    package init(from start: Double, to end: Double) {
        let bottom = Int(prc_floor(min(start, end)))
        let top = -Int(prc_floor(-max(start, end)))
        if top - bottom < YawSpan.most {
            (low, count) = (bottom, top - bottom + 1)
        } else if end > start {
            (low, count) = (Int(prc_floor(start)), YawSpan.most)
        } else {
            (low, count) = (1 - YawSpan.most - Int(prc_floor(-start)), YawSpan.most)
        }
    }

    /// Makes the span of the yaws for a future block, in which the head is expected between two positions. `margin` is
    /// the tolerance of these positions. The span shares at least one yaw with `before`. At this yaw the output can
    /// pass from one block to the next.
    @_noLocks
    package init(from start: Double, to end: Double, margin: Double, after before: YawSpan) {
        let middle = (start + end) / 2
        let reach = abs(end - start) / 2 + margin
        var span = YawSpan(from: middle - reach, to: middle + reach)
        if 2 * reach > Double(YawSpan.most - 1) {
            span = YawSpan(low: Int(prc_floor(middle)) + 1 - YawSpan.most / 2, count: YawSpan.most)
        }
        if span.low > before.high {
            span = YawSpan(low: before.high, count: min(YawSpan.most, span.high - before.high + 1))
        } else if span.high < before.low {
            let low = max(span.low, before.low + 1 - YawSpan.most)
            span = YawSpan(low: low, count: before.low - low + 1)
        }
        self = span
    }

    @_noLocks
    private init(low: Int, count: Int) { (self.low, self.count) = (low, count) }

    /// The last yaw.
    package var high: Int { @_noLocks get { low + count - 1 } }

    /// Returns whether the span has all yaws that are audible at a position.
    @_noLocks
    package func covers(_ position: Double) -> Bool {
        Double(low) <= prc_floor(position) && -prc_floor(-position) <= Double(high)
    }

    /// Returns the position, or the nearest one within the span.
    @_noLocks
    package func clamp(_ position: Double) -> Double { max(Double(low), min(Double(high), position)) }

    /// Returns the gain of the span's yaw `index` at a position.
    @_noLocks
    package func weight(_ index: Int, at position: Double) -> Float {
        Float(max(0, 1 - abs(position - Double(low + index))))
    }

    /// Returns the row of the span's yaw `index` in a table of `yaws` rows.
    @_noLocks
    package func row(_ index: Int, of yaws: Int) -> Int {
        let row = (low + index) % yaws
        return row < 0 ? row + yaws : row
    }
}
