/// One step of the work of a level (all partitions of one size), on a range of samples, rows or chunks. It takes much
/// less time than a slice's share of the work.
package struct WorkUnit: BitwiseCopyable, Sendable, Hashable {
    /// Kinds of steps.
    package enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// Splits samples `from`..<`to` of a source's block into interleaved rows.
        case split
        /// Transforms rows or sources `from`..<`to` to spectra.
        case transform
        /// Combines chunks `from`..<`to` of the shorter spectra into the spectrum of the whole block.
        case join
        /// Computes chunks `from`..<`to` of the sum over sources and partitions.
        case sum
        /// Divides chunks `from`..<`to` of an ear's sum into shorter spectra.
        case part
        /// Transforms ears or rows `from`..<`to` back to samples.
        case restore
    }
    /// Kind of this unit.
    package var kind: Kind
    /// Index of the source, or of the ear in `part`; 0 if the kind of step needs no index.
    package var index: Int
    /// Start of the range.
    package var from: Int
    /// End of the range.
    package var to: Int
    /// Cost by `LevelCost`, nanoseconds.
    package var cost: Double
}

/// Work of one level on one block: the work on the inputs of all sources, then the work on each filter state.
///
/// Units are done in order. In each slice of a block, the number of units done is the one that brings the completed
/// work closest to even progress. Order and shares depend only on the level, so each run of a stream does the same work
/// in the same slices.
package struct LevelWork: Sendable {
    /// Work on the inputs.
    package private(set) var forward: [WorkUnit] = []
    /// Work on each state of the filters.
    package private(set) var perState: [WorkUnit] = []

    /// Divides the work into units of about a microsecond. A long transform consists of `radix` shorter ones.
    package init(level: PartitionLevel, slice: Int, sources: Int, radix: Int) {
        let length = 2 * level.block
        let short = length / radix
        let chunks = short / 32
        // Two long rows, or four short ones, fill the lanes of one transform.
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

    /// Returns the number of rows that one unit transforms.
    package static func rowsTogether(radix: Int, length: Int) -> Int {
        min(radix == 1 ? 4 : radix, length / radix > 2048 ? 2 : 4)
    }

    private mutating func add(_ kind: WorkUnit.Kind, _ index: Int, _ from: Int, _ to: Int, _ cost: Double) {
        forward.append(WorkUnit(kind: kind, index: index, from: from, to: to, cost: cost))
    }

    /// Divides a range into equal units of about a microsecond, at multiples of `multiple`. `each` is the cost of one
    /// element.
    private mutating func cut(_ kind: WorkUnit.Kind, _ index: Int, _ end: Int, _ each: Double, multiple: Int) {
        let pieces = max(1, min(end / multiple, Int((Double(end) * each / 1000).rounded(.up))))
        for piece in 0..<pieces {
            let from = end / multiple * piece / pieces * multiple
            let to = end / multiple * (piece + 1) / pieces * multiple
            add(kind, index, from, to, Double(to - from) * each)
        }
    }
}
