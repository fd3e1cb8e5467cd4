/// Costs of the parts of a level's work, in nanoseconds on one core of a Zen 5 with AVX-512. They are fitted to the
/// times of 83 plans for 6 and 12 sources, slices of 64 and 256, 8192 to 96000 taps. The plan with the least of these
/// costs took at most 8 % longer than the fastest measured.
///
/// Only the proportions matter: they choose the plan and divide the work into even shares. The sound does not depend on
/// them.
struct LevelCost {
    /// Cost per bin and term (one partition of one source, two ears) of a sum; bound by the cache that holds the
    /// spectra.
    let sumPerBin: Double
    /// Cost per frame of the stream, for all sources and all parts of the work.
    let perFrame: Double

    /// Costs of one level for a number of sources.
    init(level: PartitionLevel, slice: Int, sources: Int) {
        let terms = Double(level.count * sources)
        // 16 bytes of filters and 8 of inputs per bin and term.
        let bytes = 24 * Double(level.block) * terms
        // Levels that sum ahead read little more than half of these bytes in each block.
        sumPerBin = bytes < 12e6 ? 0.08 : 0.21
        let length = 2 * level.block
        let radix = PartitionLevel.radix(block: level.block)
        let orders = radix == 1 ? 0 : 2 * LevelCost.move + LevelCost.join
        let transforms = Double(radix) * LevelCost.transform(length / radix) / Double(level.block) + orders
        perFrame = terms * sumPerBin + (Double(sources) + 2) * transforms
    }

    /// Returns the cost of one transform of `length` samples.
    static func transform(_ length: Int) -> Double {
        0.021 * Double(length) * Double(length.trailingZeroBitCount)
    }

    /// Cost of reordering one sample.
    static let move = 0.2
    /// Cost of joining or parting spectra, per bin.
    static let join = 0.65
}
