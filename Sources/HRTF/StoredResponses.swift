import Geometry
import Glibc

/// A set's responses as stored, at the session's rate, to be played unprocessed at their own directions.
struct StoredResponses: Sendable {
    /// `[direction][ear][sample]` at the session's rate; sample 0 lies `lead` samples before time 0.
    private let rows: [Float]
    private let taps: Int
    /// Samples before time 0; fractional where the rates have no small common ratio.
    private let lead: Double
    /// `[direction][ear]`: delay in samples of the session's rate.
    private let delays: [Double]

    /// Converts the rate where it differs.
    init(_ set: MeasuredSet, sampleRate: Double) throws(HRTFError) {
        let ratio = sampleRate / set.sampleRate
        delays = set.delays.map { $0 * ratio }
        guard ratio != 1 else {
            rows = set.responses
            taps = set.sampleCount
            lead = 0
            return
        }
        let margin = Self.margin(from: set.sampleRate, to: sampleRate)
        let count = 2 * set.directions.count
        let padded = set.sampleCount + margin + 64
        var source = [Float](repeating: 0, count: count * padded)
        for row in 0..<count {
            for i in 0..<set.sampleCount {
                source[row * padded + margin + i] = set.responses[row * set.sampleCount + i] * Float(1 / ratio)
            }
        }
        let converted = try ResponseConversion.convert(source, count: count, from: set.sampleRate, to: sampleRate)
        let length = converted.count / count
        // Sixteen samples at the old rate stay before time 0.
        let cut = Int((Double(margin - 16) * ratio).rounded(.down))
        taps = length - cut
        lead = Double(margin) * ratio - Double(cut)
        var kept = [Float](repeating: 0, count: count * taps)
        for row in 0..<count {
            for i in 0..<taps { kept[row * taps + i] = converted[row * length + cut + i] }
        }
        rows = kept
    }

    /// Samples of lead-in for the converter's ringing: a whole number at both rates, if there is one.
    static func margin(from oldRate: Double, to newRate: Double) -> Int {
        let (old, new) = (Int(oldRate.rounded()), Int(newRate.rounded()))
        var (a, b) = (old, new)
        while b != 0 { (a, b) = (b, a % b) }
        let unit = old / max(1, a)
        let isRational = Double(old) == oldRate && Double(new) == newRate && unit <= 2048
        return isRational ? unit * ((64 + unit - 1) / unit) : 64
    }

    /// Time in samples of the earliest stored sample.
    var earliest: Double { (delays.min() ?? 0) - lead }

    /// Samples needed to play all, moved `shift` later.
    func length(shift: Double) -> Int { taps + Int(((delays.max() ?? 0) - lead + shift).rounded(.up)) + 1 }

    /// All responses moved `shift` later, `[direction][ear][taps]`. Whole delays are copied, others shifted in
    /// frequency.
    func placed(shift: Double, taps total: Int) -> [Float] {
        var result = [Float](repeating: 0, count: delays.count * total)
        var transform: FourierTransform?
        for row in delays.indices {
            let place = delays[row] + shift - lead
            let whole = Int((place + 1e-6).rounded(.down))
            let fraction = place - Double(whole)
            var samples = (0..<taps).map { Double(rows[row * taps + $0]) }
            if abs(fraction) > 1e-6 {
                let size = transform ?? FourierTransform(minimumCount: taps + 64)
                transform = size
                samples = StoredResponses.shifted(samples, by: fraction, size)
            }
            for i in 0..<min(samples.count, total - whole) where whole + i >= 0 {
                result[row * total + whole + i] = Float(samples[i])
            }
        }
        return result
    }

    /// A band-limited shift by a fraction of a sample; what rings before the start is cut.
    private static func shifted(_ samples: [Double], by fraction: Double, _ transform: FourierTransform) -> [Double] {
        let n = transform.count
        var real = samples + [Double](repeating: 0, count: n - samples.count)
        var imaginary = [Double](repeating: 0, count: n)
        transform.forward(&real, &imaginary)
        for k in 0..<n {
            let frequency = k <= n / 2 ? k : k - n
            let turn = -2 * Double.pi * Double(frequency) * fraction / Double(n)
            let (a, b) = (real[k], imaginary[k])
            real[k] = a * cos(turn) - b * sin(turn)
            imaginary[k] = a * sin(turn) + b * cos(turn)
        }
        transform.inverse(&real, &imaginary)
        return Array(real.prefix(samples.count + 32))
    }
}
