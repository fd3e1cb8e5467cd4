/// Costs of the work of a level (all partitions of one size), in nanoseconds on one core of a Zen 5 with AVX-512. They
/// are fitted to the measured times of 83 plans, for 6 and 12 sources, slices of 64 and 256 frames, and 8192 to 96000
/// taps. The plan that costs least by these numbers took at most 8 % longer than the fastest plan measured.
///
/// Only the proportions matter. They determine the plan, and the division of the work into even shares. The sound does
/// not depend on them.
struct LevelCost {
    /// Cost of a sum per bin and term. A term is one partition of one source for two ears. The speed is limited by the
    /// cache that contains the spectra.
    let sumPerBin: Double
    /// Cost per frame of the stream, for all sources and all steps of the work.
    let perFrame: Double

    /// Computes the costs of one level for a number of sources.
    init(level: PartitionLevel, slice: Int, sources: Int) {
        let terms = Double(level.count * sources)
        // Per bin and term, 16 bytes of filters and 8 bytes of inputs.
        let bytes = 24 * Double(level.block) * terms
        // Levels that compute sums in advance read little more than half of these bytes in each block.
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

    /// Cost of moving one sample to its place in another order.
    static let move = 0.2
    /// Cost of joining or dividing spectra, per bin.
    static let join = 0.65
}
