/// How a long response is cut into partitions that grow with their distance from the start.
///
/// A block of inputs is complete when its last frame is. Its products with a partition at tap O are heard O − block
/// frames later, so that a level which begins at two blocks has a whole block's time for its work: the work is then
/// spread evenly and nothing is late (Gardner, JAES 43(3), 1995, §4; García, AES 113, 2002, on the choice of sizes).
/// The first level works within the slice instead and begins at tap 0.
package struct PartitionPlan: Hashable, Sendable {
    /// Levels by rising block; the first one's block is the slice where the taps begin at 0.
    package let levels: [PartitionLevel]

    /// Largest block.
    package static let longestBlock = 16384

    /// The cheapest plan, by `LevelCost`, for taps `range` of the responses of `sources` sources.
    ///
    /// Blocks are slice·2^k; each level takes over from the one before as early as it may. All choices of sizes, 2^9 at
    /// most, are compared. `blocks` limits the choice.
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
        // There is always one: blocks of a slice all the way.
        levels = best?.levels ?? []
    }

    /// The levels of the given blocks, or nil where they do not fit: one has nothing to do, or the first comes too
    /// late.
    private static func levels(_ range: Range<Int>, slice: Int, blocks: [Int]) -> [PartitionLevel]? {
        var levels: [PartitionLevel] = []
        for (index, block) in blocks.enumerated() {
            // The earliest tap a level may serve.
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
