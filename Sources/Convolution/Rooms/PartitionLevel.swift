/// One level of a long response: `count` partitions of `block` taps each. The first partition begins at tap
/// `first`·block.
package struct PartitionLevel: Hashable, Sendable {
    /// Taps per partition. It is also the number of frames in one round of the level's work.
    package var block: Int
    /// Number of blocks between the response's start and the first partition.
    package var first: Int
    /// Number of partitions.
    package var count: Int

    /// Makes a level of the partitions first..<first + count.
    package init(block: Int, first: Int, count: Int) {
        self.block = block
        self.first = first
        self.count = count
    }

    /// Returns the number of interleaved rows into which the transform of a level is split. Each row then fits into the
    /// first-level cache. `block` is the level's number of taps per partition.
    package static func radix(block: Int) -> Int {
        let length = 2 * block
        return length <= 2048 ? 1 : min(8, length / 2048)
    }

    /// Taps of the response that the level renders.
    package var taps: Range<Int> { first * block..<(first + count) * block }
}
