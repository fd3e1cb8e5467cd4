/// What the parts of a level's work cost, in nanoseconds on one core of a Zen 5 with AVX-512: fitted to the times of 83
/// plans for 6 and 12 sources, slices of 64 and 256, 8192 to 96000 taps. The plan that they choose took at most 8 %
/// longer than the fastest measured.
///
/// Only the proportions matter: they choose the plan and cut the work into even shares. Nothing heard depends on them.
struct LevelCost {
    /// Per bin and term (one partition of one source, two ears) of a sum: bound by the cache its spectra fit into.
    let sumPerBin: Double
    /// Nanoseconds per frame of the stream for all sources, everything included.
    let perFrame: Double

    /// Costs of one level for a number of sources.
    init(level: PartitionLevel, slice: Int, sources: Int) {
        let terms = Double(level.count * sources)
        // 16 bytes of filters and 8 of inputs per bin and term.
        let bytes = 24 * Double(level.block) * terms
        // Levels that sum ahead fetch little more than half of them in each block.
        sumPerBin = bytes < 12e6 ? 0.08 : 0.21
        let length = 2 * level.block
        let radix = PartitionLevel.radix(block: level.block)
        let orders = radix == 1 ? 0 : 2 * LevelCost.move + LevelCost.join
        let transforms = Double(radix) * LevelCost.transform(length / radix) / Double(level.block) + orders
        perFrame = terms * sumPerBin + (Double(sources) + 2) * transforms
    }

    /// One transform of `length` samples.
    static func transform(_ length: Int) -> Double {
        0.021 * Double(length) * Double(length.trailingZeroBitCount)
    }

    /// Moving a sample from one order to another.
    static let move = 0.2
    /// Putting together or taking apart, per bin.
    static let join = 0.65
}
