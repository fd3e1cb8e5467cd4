/// What the parts of a level's work cost, in nanoseconds, as measured on one core of a Zen 5 with AVX-512.
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
        // Beyond the second-level cache, levels that sum ahead fetch little more than half.
        sumPerBin = bytes < 0.5e6 ? 0.13 : bytes < 12e6 ? 0.2 : 0.45
        let forward = LevelCost.transform(2 * level.block) / Double(level.block) + 0.3
        perFrame = terms * sumPerBin + (Double(sources) + 2) * forward
    }

    /// One transform of `length` samples.
    static func transform(_ length: Int) -> Double {
        0.019 * Double(length) * Double(length.trailingZeroBitCount)
    }

    /// Moving a sample from one order to another.
    static let move = 0.08
    /// Putting together or taking apart, per bin.
    static let join = 0.25
}
