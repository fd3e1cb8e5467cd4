import Signal

/// The responses of a room as the convolver is prepared from them.
///
/// The response of a source to an ear at a yaw is its early part followed by its tail. Yaw k is the head's at
/// k·2π/yaws.
package struct RoomTaps {
    /// Sources, ≥ 1.
    package var sources: Int
    /// Yaws the early part exists for; 1 where it does not follow the head.
    package var yaws: Int
    /// Taps of the early part, ≥ 1.
    package var earlyTaps: Int
    /// Taps of the tail, ≥ 0.
    package var tailTaps: Int
    /// Whether all sources have one tail, whose input is their sum.
    package var isTailShared: Bool
    /// The early part of a source at a yaw to an ear.
    package var early: (_ source: Int, _ yaw: Int, _ ear: Int) -> UnsafePointer<Float>
    /// The tail of a source to an ear.
    package var tail: (_ source: Int, _ ear: Int) -> UnsafePointer<Float>

    /// Responses of the given shape; the closures are asked during preparation only.
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

    /// Taps of a whole response.
    package var count: Int { earlyTaps + tailTaps }

    /// Writes the taps `wanted` of a response, with zeros for those beyond `range` or the response's end.
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

/// The levels of a room: of its early part, for every yaw, and of its tail, which does not turn.
package struct RoomPlan: Sendable, Hashable {
    /// One level.
    package struct Level: Sendable, Hashable {
        /// Its partitions.
        package var level: PartitionLevel
        /// The taps it plays; what its partitions cover beyond them is silent.
        package var range: Range<Int>
        /// Whether it follows the head.
        package var isTracked: Bool
        /// Whether its one input is the sum of the sources.
        package var isMixed: Bool
    }

    /// The longest block that follows the head, in frames: what the head does in two of them must be foreseen.
    package static var longestTracked: Int { @_noLocks get { 256 } }

    /// The direct level first.
    package let levels: [Level]

    /// Levels for a room. One whose taps neither follow the head nor are shared is cut as a whole.
    package init(_ taps: RoomTaps, slice: Int) {
        let isTracked = taps.yaws > 1
        guard isTracked || (taps.isTailShared && taps.tailTaps > 0) else {
            levels = PartitionPlan(taps: 0..<taps.count, slice: slice, sources: taps.sources).levels.map {
                Level(level: $0, range: 0..<taps.count, isTracked: false, isMixed: false)
            }
            return
        }
        // A tail can be late by two slices at the least; what it has before that goes to the early part.
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
