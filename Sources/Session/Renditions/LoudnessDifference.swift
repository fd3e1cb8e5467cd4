import Foundation

/// How much louder one of two renditions is than the other, in loudness units, as far as it can be known.
///
/// Short-term loudness (3 s) of both is compared every 400 ms, where both it and the momentary loudness (400 ms) lie above
/// −50 LUFS in both; the median of the last five differences counts. In silence nothing changes.
struct LoudnessDifference {
    /// LU by which the first is louder than the second; nil before anything is known.
    private(set) var value: Double?
    private let momentary: Int
    private let shortTerm: Int
    private var powers: [(Double, Double)] = []
    private var differences: [Double] = []
    private var blocks = 0

    /// LUFS below which nothing is compared.
    private static let gate = -50.0
    /// Differences among which the median is taken.
    private static let considered = 5

    /// For blocks of so many seconds.
    init(blockSeconds: Double) {
        momentary = max(1, Int((0.4 / blockSeconds).rounded()))
        shortTerm = max(1, Int((3 / blockSeconds).rounded()))
    }

    /// Forgets what was heard; a difference that was known stays.
    mutating func forget() {
        powers = []
        differences = []
        blocks = 0
    }

    /// Takes the mean squares of the next block.
    mutating func add(_ first: Double, _ second: Double) {
        powers.append((first, second))
        if powers.count > shortTerm { powers.removeFirst() }
        blocks += 1
        guard powers.count == shortTerm, blocks % momentary == 0 else { return }
        let long = Self.loudness(powers[...])
        let short = Self.loudness(powers.suffix(momentary))
        guard [long.0, long.1, short.0, short.1].allSatisfy({ $0 > Self.gate }) else { return }
        differences = Array((differences + [long.0 - long.1]).suffix(Self.considered))
        let sorted = differences.sorted()
        let middle = sorted.count / 2
        value = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    private static func loudness(_ blocks: ArraySlice<(Double, Double)>) -> (Double, Double) {
        let count = Double(blocks.count)
        func value(_ sum: Double) -> Double { -0.691 + 10 * log10(max(1e-20, sum / count)) }
        return (value(blocks.reduce(0) { $0 + $1.0 }), value(blocks.reduce(0) { $0 + $1.1 }))
    }
}
