/// Division of a long response into partitions, whose size grows with the time from the response's start.
///
/// A block of inputs is complete when its last frame has arrived. Its product with a partition that starts at tap O is
/// due O − block frames later. A level whose first partition starts two blocks after the response's start therefore has
/// the time of a whole block for its work, which is spread evenly (Gardner, JAES 43(3), 1995, §4; García, AES 113,
/// 2002, on the choice of sizes). The first level instead works within the slice and begins at tap 0.
package struct PartitionPlan: Hashable, Sendable {
    /// Levels by rising block size. If the taps begin at 0, the first level's block is the slice. Empty without taps.
    package let levels: [PartitionLevel]

    /// Largest block.
    package static let longestBlock = 16384

    /// Chooses the plan that costs least by `LevelCost`, for the taps `range` of the responses of `sources` sources.
    ///
    /// Blocks have slice·2^k frames. Each level takes over from the previous one as early as possible. All combinations
    /// of sizes, at most 2^9, are compared. `blocks` limits the sizes; the slice itself is always allowed.
    package init(taps range: Range<Int>, slice: Int, sources: Int, blocks: Range<Int>? = nil) {
        guard !range.isEmpty else {
            levels = []
            return
        }
        var sizes: [Int] = []
        var size = slice
        while size <= PartitionPlan.longestBlock {
            if blocks?.contains(size) ?? true || size == slice { sizes.append(size) }
            size *= 2
        }
        var best: (levels: [PartitionLevel], cost: Double)?
        for choice in 1..<(1 << sizes.count) {
            let chosen = sizes.indices.filter { choice >> $0 & 1 == 1 }.map { sizes[$0] }
            guard let levels = PartitionPlan.levels(range, slice: slice, blocks: chosen) else { continue }
            let cost = levels.reduce(0) { $0 + LevelCost(level: $1, slice: slice, sources: sources).perFrame }
            if cost < best?.cost ?? .infinity { best = (levels, cost) }
        }
        // Blocks of one slice throughout are always valid.
        levels = best?.levels ?? []
    }

    /// Returns the levels for the given block sizes. Returns nil if they do not fit, because a level would be empty or
    /// the first level would begin too late.
    private static func levels(_ range: Range<Int>, slice: Int, blocks: [Int]) -> [PartitionLevel]? {
        var levels: [PartitionLevel] = []
        for (index, block) in blocks.enumerated() {
            // Earliest tap that the level can render.
            let earliest = block == slice && range.lowerBound == 0 ? 0 : 2 * block
            let start = index == 0 ? range.lowerBound / block * block : max(earliest, range.lowerBound / block * block)
            guard start >= earliest else { return nil }
            let end = index + 1 < blocks.count ? max(2 * blocks[index + 1], range.lowerBound) : range.upperBound
            guard end > start, start < range.upperBound else { return nil }
            levels.append(
                PartitionLevel(
                    block: block, first: start / block,
                    count: (min(end, range.upperBound) - start + block - 1) / block))
        }
        return levels
    }
}
