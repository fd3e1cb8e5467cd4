/// One level of a long response: `count` partitions of `block` taps each, from tap `first`·block on.
package struct PartitionLevel: Hashable, Sendable {
    /// Taps per partition, and frames between two rounds of its work.
    package var block: Int
    /// Blocks from the response's start to the first partition.
    package var first: Int
    /// Partitions.
    package var count: Int

    /// Partitions first..<first + count of `block` taps.
    package init(block: Int, first: Int, count: Int) {
        self.block = block
        self.first = first
        self.count = count
    }

    /// Interleaved rows of which the transform of a level of `block` taps is made: so many that each fits the
    /// first-level cache.
    package static func radix(block: Int) -> Int {
        let length = 2 * block
        return length <= 2048 ? 1 : min(8, length / 2048)
    }

    /// The taps it covers.
    package var taps: Range<Int> { first * block..<(first + count) * block }
}
