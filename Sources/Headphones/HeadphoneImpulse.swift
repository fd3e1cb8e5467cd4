import Glibc
import HRTF

/// Magnitude of a filter that is given as samples; its phase is not kept.
package struct HeadphoneImpulse: Sendable {
    /// Largest number of samples of one ear.
    package static let mostSamples = 1 << 17
    /// Lower limit of magnitudes, dB relative to the largest.
    static let floor = -120.0

    /// Gains over frequency, left and right.
    package let curves: [GainCurve]
    /// Changes to the response, one sentence each.
    package var remarks: [String]

    /// Reads responses `[channel][sample]`: one channel for both ears, or two for left and right. Takes about 20 ms.
    ///
    /// - Throws: `implausible` for other numbers of channels, no samples or too many, silence, or samples that are not
    ///   finite or reach 10⁶.
    package init(_ rows: [[Float]], sampleRate: Double, name: String) throws(HeadphonesError) {
        guard (1...2).contains(rows.count) else {
            throw .implausible(
                name,
                "has \(rows.count) channels; expected one for both ears, or left and right (crossfeed is not made here)"
            )
        }
        let count = rows[0].count
        guard count > 0, count <= Self.mostSamples else {
            throw .implausible(name, "has \(count) samples; expected 1 to \(Self.mostSamples)")
        }
        let transform = FourierTransform(minimumCount: max(16_384, 2 * count))
        var (curves, remarks) = ([GainCurve](), [String]())
        for row in rows {
            guard row.allSatisfy({ abs($0) < 1e6 }) else {
                throw .implausible(name, "holds samples that are no finite numbers; use another file")
            }
            let powers = Self.powers(of: row, transform)
            let largest = powers.max() ?? 0
            guard largest > 1e-20 else { throw .implausible(name, "holds silence; there is nothing to convolve with") }
            let gains = powers.map { 10 * log10(max($0, largest * pow(10, Self.floor / 10))) }
            let step = sampleRate / Double(transform.count)
            guard let curve = GainCurve((1..<gains.count).map { (Double($0) * step, gains[$0]) }) else {
                throw .implausible(name, "has no response that could be played")
            }
            curves.append(curve)
            if remarks.isEmpty, let remark = Self.remark(row, gains, transform) { remarks.append(remark) }
        }
        self.curves = curves.count == 1 ? [curves[0], curves[0]] : curves
        self.remarks = remarks
    }

    /// Returns |H|² at bins 0…n/2 (n: length of `transform`).
    static func powers(of row: [Float], _ transform: FourierTransform) -> [Double] {
        var real = row.map(Double.init) + [Double](repeating: 0, count: transform.count - row.count)
        var imaginary = [Double](repeating: 0, count: transform.count)
        transform.forward(&real, &imaginary)
        return (0...(transform.count / 2)).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
    }

    /// Returns a remark on the omitted phase; nil if the response differs from the minimum-phase one by at most −40 dB.
    private static func remark(_ row: [Float], _ gains: [Double], _ transform: FourierTransform) -> String? {
        let minimum = MinimumPhaseResponse.samples(decibels: gains, count: row.count)
        var (difference, energy) = (0.0, 0.0)
        for (sample, other) in zip(row, minimum) {
            difference += (Double(sample) - other) * (Double(sample) - other)
            energy += Double(sample) * Double(sample)
        }
        guard difference > 1e-4 * energy else { return nil }
        let peak = row.indices.max { abs(row[$0]) < abs(row[$1]) } ?? 0
        let mirrored = zip(row, row.reversed()).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
        let kind = mirrored < 1e-6 * energy ? "linear phase" : "not minimum phase"
        return "the response is \(kind), its peak \(peak) samples late; it is played at minimum phase, without that "
            + "latency"
    }
}

/// Computes the minimum-phase response of a magnitude.
enum MinimumPhaseResponse {
    /// Returns the first `count` samples for gains in dB at bins 0…n/2. n = 2·(gains.count − 1) must be a power of two.
    /// Not for the audio thread: takes about 60 ms at n = 32768.
    static func samples(decibels gains: [Double], count: Int) -> [Double] {
        let spectrum = MinimumPhase.spectrum(decibels: gains)
        let n = 2 * (gains.count - 1)
        let transform = FourierTransform(minimumCount: n)
        var real = [Double](repeating: 0, count: n)
        var imaginary = real
        for (bin, value) in spectrum.enumerated() {
            (real[bin], imaginary[bin]) = (value.real, value.imaginary)
            guard bin > 0, bin < n / 2 else {
                imaginary[bin] = 0
                continue
            }
            (real[n - bin], imaginary[n - bin]) = (value.real, -value.imaginary)
        }
        transform.inverse(&real, &imaginary)
        return Array(real.prefix(count))
    }
}
