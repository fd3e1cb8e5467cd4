/// Division of a long response into partitions that grow with their distance from the start.
///
/// A block of inputs is complete when its last frame is. Its product with a partition at tap O is due O − block frames
/// later. A level that begins at two blocks therefore has a whole block's time for its work, which is spread evenly
/// (Gardner, JAES 43(3), 1995, §4; García, AES 113, 2002, on the choice of sizes). The first level works within the
/// slice instead and begins at tap 0.
package struct PartitionPlan: Hashable, Sendable {
    /// Levels by rising block size; the first one's block is the slice where the taps begin at 0.
    package let levels: [PartitionLevel]

    /// Largest block.
    package static let longestBlock = 16384

    /// Chooses the cheapest plan, by `LevelCost`, for taps `range` of the responses of `sources` sources.
    ///
    /// Blocks are slice·2^k; each level takes over from the previous one as early as possible. All choices of sizes,
    /// 2^9 at most, are compared. `blocks` limits the sizes.
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

    /// Returns the levels of the given blocks, or nil where they do not fit: a level would be empty, or the first comes
    /// too late.
    private static func levels(_ range: Range<Int>, slice: Int, blocks: [Int]) -> [PartitionLevel]? {
        var levels: [PartitionLevel] = []
        for (index, block) in blocks.enumerated() {
            // Earliest tap that the level can serve.
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
