import Signal

/// Responses of a room from which the convolver is prepared.
///
/// The response from a source to an ear at a yaw is its early part followed by its tail. Yaw k stands for a head yaw of
/// k·2π/yaws.
package struct RoomTaps {
    /// Number of sources, ≥ 1.
    package var sources: Int
    /// Number of yaws of the early part; 1 if it does not follow the head.
    package var yaws: Int
    /// Taps of the early part, ≥ 1.
    package var earlyTaps: Int
    /// Taps of the tail, ≥ 0.
    package var tailTaps: Int
    /// Whether all sources share one tail. The input of that tail is the sum of the sources.
    package var isTailShared: Bool
    /// Closure that returns the early part from a source to an ear at a yaw.
    package var early: (_ source: Int, _ yaw: Int, _ ear: Int) -> UnsafePointer<Float>
    /// Closure that returns the tail from a source to an ear.
    package var tail: (_ source: Int, _ ear: Int) -> UnsafePointer<Float>

    /// Makes the responses; see the properties. The closures are called only during preparation.
    package init(
        sources: Int, yaws: Int, earlyTaps: Int, tailTaps: Int, isTailShared: Bool,
        early: @escaping (_ source: Int, _ yaw: Int, _ ear: Int) -> UnsafePointer<Float>,
        tail: @escaping (_ source: Int, _ ear: Int) -> UnsafePointer<Float>
    ) {
        precondition(sources >= 1 && yaws >= 1 && earlyTaps >= 1 && tailTaps >= 0)
        self.sources = sources
        self.yaws = yaws
        self.earlyTaps = earlyTaps
        self.tailTaps = tailTaps
        self.isTailShared = isTailShared
        self.early = early
        self.tail = tail
    }

    /// Number of taps of a whole response.
    package var count: Int { earlyTaps + tailTaps }

    /// Writes the taps `wanted` of a response to `target`. Taps outside `range`, and taps after the response's end, are
    /// 0.
    func copy(
        _ wanted: Range<Int>, source: Int, yaw: Int, ear: Int, in range: Range<Int>,
        to target: UnsafeMutablePointer<Float>
    ) {
        Samples.clear(target, count: wanted.count)
        let used = wanted.clamped(to: range.clamped(to: 0..<count))
        let early = used.clamped(to: 0..<earlyTaps)
        if !early.isEmpty {
            Samples.copy(
                self.early(source, yaw, ear) + early.lowerBound, to: target + (early.lowerBound - wanted.lowerBound),
                count: early.count)
        }
        let late = used.clamped(to: earlyTaps..<max(earlyTaps, count))
        if !late.isEmpty {
            Samples.copy(
                tail(source, ear) + (late.lowerBound - earlyTaps), to: target + (late.lowerBound - wanted.lowerBound),
                count: late.count)
        }
    }
}

/// Levels of a room: the levels of the early part, with filters for every yaw, and those of the tail, which does not
/// follow the head.
package struct RoomPlan: Sendable, Hashable {
    /// One level.
    package struct Level: Sendable, Hashable {
        /// Partitions of the level.
        package var level: PartitionLevel
        /// Taps that the level renders. Its partitions are silent outside them.
        package var range: Range<Int>
        /// Whether the level follows the head.
        package var isTracked: Bool
        /// Whether the level has only one input, the sum of the sources.
        package var isMixed: Bool
    }

    /// Longest block of a level that follows the head, frames. The head's motion must be forecast two such blocks
    /// ahead.
    package static var longestTracked: Int { @_noLocks get { 256 } }

    /// Levels of the room, the direct level first.
    package let levels: [Level]

    /// Divides a room into levels. If the responses neither follow the head nor share a tail, early part and tail are
    /// not separated.
    package init(_ taps: RoomTaps, slice: Int) {
        let isTracked = taps.yaws > 1
        guard isTracked || (taps.isTailShared && taps.tailTaps > 0) else {
            levels = PartitionPlan(taps: 0..<taps.count, slice: slice, sources: taps.sources).levels.map {
                Level(level: $0, range: 0..<taps.count, isTracked: false, isMixed: false)
            }
            return
        }
        // A level of the tail starts two slices after the response's start at the earliest, so earlier taps belong to
        // the early part.
        let cut = min(taps.count, max(taps.earlyTaps, 2 * slice))
        let early = PartitionPlan(
            taps: 0..<cut, slice: slice, sources: taps.sources,
            blocks: isTracked ? slice..<max(slice, RoomPlan.longestTracked) + 1 : nil)
        let tail = PartitionPlan(taps: cut..<taps.count, slice: slice, sources: taps.isTailShared ? 1 : taps.sources)
        levels =
            early.levels.map { Level(level: $0, range: 0..<cut, isTracked: isTracked, isMixed: false) }
            + tail.levels.map {
                Level(level: $0, range: cut..<taps.count, isTracked: false, isMixed: taps.isTailShared)
            }
    }
}
