import Glibc

/// Histogram of the mean powers of a sound's blocks, in steps of 0.01 LU. The absolute gate of ITU-R BS.1770-5, Annex
/// 1, is at −70 LUFS. Blocks below it are kept down to −140 LUFS, because a gain may lift them above the gate. The
/// memory does not depend on the sound's length.
///
/// Each step keeps the sum of the powers of its blocks. Only the thresholds of the gates are rounded, by at most 0.01
/// LU.
struct LoudnessHistogram {
    /// Number of steps per LU.
    private static let resolution = 100.0
    /// Absolute gate, LUFS.
    private static let gate = -70.0
    /// Least loudness of blocks that are kept, LUFS.
    private static let floor = -140.0
    /// Range above `floor`, LU. It suffices for more than a hundred channels of square waves at full scale.
    private static let range = 170.0

    private var counts = [Int](repeating: 0, count: Int(range * resolution))
    private var powers = [Double](repeating: 0, count: Int(range * resolution))
    /// Range of the steps in use; empty at first.
    private var used = 0..<0

    /// Adds a block of mean power `power`.
    mutating func add(power: Double) {
        let step = (KWeighting.loudness(power: power) - Self.floor) * Self.resolution
        guard step >= 0 else { return }
        let index = step < Double(counts.count) ? Int(step) : counts.count - 1
        counts[index] += 1
        powers[index] += power
        used = used.isEmpty ? index..<index + 1 : min(used.lowerBound, index)..<max(used.upperBound, index + 1)
    }

    /// Returns the steps that pass two gates: the absolute gate after a gain in dB, and a relative gate. The relative
    /// gate is `units` LU below the mean power of all steps that pass the absolute one. Nil if no step passes.
    private func passing(below units: Double, gain: Double = 0) -> Range<Int>? {
        let lowest = Int(((Self.gate - gain - Self.floor) * Self.resolution).rounded(.up))
        guard lowest < self.used.upperBound else { return nil }
        let used = max(self.used.lowerBound, lowest)..<self.used.upperBound
        guard let mean = Self.mean(counts[used], powers[used]) else { return nil }
        let threshold = mean * pow(10, -units / 10)
        guard let first = used.first(where: { counts[$0] > 0 && powers[$0] >= threshold * Double(counts[$0]) }) else {
            return nil
        }
        return first..<used.upperBound
    }

    private static func mean(_ counts: ArraySlice<Int>, _ powers: ArraySlice<Double>) -> Double? {
        let count = counts.reduce(0, +)
        return count > 0 ? powers.reduce(0, +) / Double(count) : nil
    }

    /// Mean loudness of the blocks that pass the absolute gate and the relative gate 10 LU below the mean, LUFS; nil if
    /// there are none. For blocks of 400 ms this is the integrated loudness.
    var integrated: Double? { integrated(after: 0) }

    /// Returns the integrated loudness after a gain in dB, LUFS; nil if no block passes the gates. It differs from
    /// `integrated` plus the gain if the gain moves blocks across the absolute gate.
    func integrated(after gain: Double) -> Double? {
        guard let passing = passing(below: 10, gain: gain) else { return nil }
        return Self.mean(counts[passing], powers[passing]).map { KWeighting.loudness(power: $0) + gain }
    }

    /// Range from the 10th to the 95th percentile of the blocks that pass the absolute gate and the relative gate 20 LU
    /// below the mean, LU; nil if there are none. For blocks of 3 s this is the loudness range of EBU Tech 3342.
    var spread: Double? {
        guard let passing = passing(below: 20) else { return nil }
        let last = counts[passing].reduce(0, +) - 1
        let (low, high) = (Int((Double(last) * 0.1).rounded()), Int((Double(last) * 0.95).rounded()))
        var (seen, lowest) = (0, 0.0)
        for step in passing where counts[step] > 0 {
            let loudness = KWeighting.loudness(power: powers[step] / Double(counts[step]))
            if seen <= low { lowest = loudness }
            seen += counts[step]
            if seen > high { return loudness - lowest }
        }
        return nil
    }
}
