/// One level of a long response: `count` partitions of `block` taps each, from tap `first`·block on.
package struct PartitionLevel: Hashable, Sendable {
    /// Taps per partition, and frames per round of the level's work.
    package var block: Int
    /// Blocks between the response's start and the first partition.
    package var first: Int
    /// Number of partitions.
    package var count: Int

    /// Covers partitions first..<first + count of `block` taps.
    package init(block: Int, first: Int, count: Int) {
        self.block = block
        self.first = first
        self.count = count
    }

    /// Returns the number of interleaved rows in the transform of a level of `block` taps: enough that each fits the
    /// first-level cache.
    package static func radix(block: Int) -> Int {
        let length = 2 * block
        return length <= 2048 ? 1 : min(8, length / 2048)
    }

    /// Taps that the level covers.
    package var taps: Range<Int> { first * block..<(first + count) * block }
}
