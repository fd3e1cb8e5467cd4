/// A piece of a level's work, small against a slice's share.
package struct WorkUnit: BitwiseCopyable, Sendable, Hashable {
    /// What is done.
    package enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// Samples `from`..<`to` of a source's block to interleaved rows.
        case split
        /// Rows or sources `from`..<`to` to spectra.
        case transform
        /// Chunks `from`..<`to` of shorter spectra to those of the whole block.
        case join
        /// Chunks `from`..<`to` of the sum over sources and partitions.
        case sum
        /// Chunks `from`..<`to` of an ear's sum to shorter spectra.
        case part
        /// Ears or rows `from`..<`to` back to samples.
        case restore
    }
    /// What is done.
    package var kind: Kind
    /// The source (the ear in `part`); 0 where it is of no account.
    package var index: Int
    /// First of the range.
    package var from: Int
    /// End of the range.
    package var to: Int
    /// Nanoseconds by `LevelCost`.
    package var cost: Double
}

/// The work of one level on one block: what it does for all sources once, then for each filter state.
///
/// Units follow in order; a block's slices each take the units that bring the work done nearest to their even share.
/// The order and the shares depend on nothing but the level, so that the same stream costs the same in the same slices.
package struct LevelWork: Sendable {
    /// Work on the inputs.
    package private(set) var forward: [WorkUnit] = []
    /// Work on each state of the filters.
    package private(set) var perState: [WorkUnit] = []

    /// Units of about a microsecond for a level whose transforms are made of `radix` shorter ones.
    package init(level: PartitionLevel, slice: Int, sources: Int, radix: Int) {
        let length = 2 * level.block
        let short = length / radix
        let chunks = short / 32
        // Two long rows or four short ones at a time: what fills the lanes of one transform.
        let together = LevelWork.rowsTogether(radix: radix, length: length)
        let transform = LevelCost.transform(short)
        if radix == 1 {
            for from in stride(from: 0, to: sources, by: together) {
                let to = min(sources, from + together)
                add(.transform, 0, from, to, Double(to - from) * transform)
            }
        } else {
            for source in 0..<sources {
                cut(.split, source, length, LevelCost.move, multiple: level.block)
                for from in stride(from: 0, to: radix, by: together) {
                    add(.transform, source, from, from + together, Double(together) * transform)
                }
                cut(.join, source, chunks, LevelCost.join * Double(16 * radix), multiple: 1)
            }
        }
        let sum = LevelCost(level: level, slice: slice, sources: sources).sumPerBin
        let start = forward.count
        cut(.sum, 0, level.block / 16, sum * Double(16 * level.count * sources), multiple: 1)
        if radix == 1 {
            add(.restore, 0, 0, 2, 2 * transform)
        } else {
            for ear in 0..<2 { cut(.part, ear, chunks, LevelCost.join * Double(16 * radix), multiple: 1) }
            for from in stride(from: 0, to: 2 * radix, by: together) {
                add(.restore, 0, from, from + together, Double(together) * transform)
            }
        }
        perState = Array(forward[start...])
        forward.removeSubrange(start...)
    }

    /// Rows that one unit transforms.
    package static func rowsTogether(radix: Int, length: Int) -> Int {
        min(radix == 1 ? 4 : radix, length / radix > 2048 ? 2 : 4)
    }

    private mutating func add(_ kind: WorkUnit.Kind, _ index: Int, _ from: Int, _ to: Int, _ cost: Double) {
        forward.append(WorkUnit(kind: kind, index: index, from: from, to: to, cost: cost))
    }

    /// Cuts a range into equal units of about a microsecond, at multiples of `multiple`.
    private mutating func cut(_ kind: WorkUnit.Kind, _ index: Int, _ end: Int, _ each: Double, multiple: Int) {
        let pieces = max(1, min(end / multiple, Int((Double(end) * each / 1000).rounded(.up))))
        for piece in 0..<pieces {
            let from = end / multiple * piece / pieces * multiple
            let to = end / multiple * (piece + 1) / pieces * multiple
            add(kind, index, from, to, Double(to - from) * each)
        }
    }
}
