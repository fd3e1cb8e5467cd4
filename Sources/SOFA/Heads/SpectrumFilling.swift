import Glibc

/// Converts a transfer function from its stored frequencies to all bins of a discrete Fourier transform.
struct SpectrumFilling {
    let axis: FrequencyAxis
    private let step: Double

    /// Deviation of an unwrapped phase from the phase predicted by the delay, radians, above which the step to it is
    /// doubtful.
    private static let doubtfulStep = 0.75 * Double.pi
    /// Level below which phases are meaningless, relative to the strongest bin: −40 dB.
    private static let quietest = 0.01
    /// Share of doubtful steps above which the frequencies are too far apart.
    private static let tolerableDoubts = 0.05
    /// Relative deviation of a value from its neighbours' interpolation that counts as rough, and the tolerable share
    /// of rough values. Notches are rough.
    private static let (roughness, tolerableRoughness) = (0.7, 0.25)

    init(_ axis: FrequencyAxis) {
        self.axis = axis
        step = axis.sampleRate / Double(axis.sampleCount)
    }

    /// Returns bins 0…sampleCount/2 of values in the file's order. O(bins).
    ///
    /// Equally spaced values are kept. Below the first one, and at half the rate if that bin is missing, the magnitude
    /// is constant and the phase continues as that of a delay. Other values are interpolated in log magnitude and
    /// unwrapped phase. The result is nil if values are too far apart: too many steps of the phase cannot be unwrapped,
    /// or too many values deviate from their neighbours' interpolation.
    func bins(real: ArraySlice<Float>, imaginary: ArraySlice<Float>) -> [SIMD2<Double>]? {
        let values = axis.places.map {
            SIMD2(Double(real[real.startIndex + $0]), Double(imaginary[imaginary.startIndex + $0]))
        }
        if let first = axis.firstBin { return filled(values, from: first) }
        return interpolated(values)
    }

    private func filled(_ values: [SIMD2<Double>], from first: Int) -> [SIMD2<Double>] {
        var result = [SIMD2<Double>](repeating: .zero, count: axis.sampleCount / 2 + 1)
        for (k, value) in values.enumerated() where first + k < result.count { result[first + k] = value }
        if first > 0 {
            // From the first value to 0 Hz, where the spectrum of a response is real. The delay determines the sign at
            // 0 Hz.
            let (a, b) = (values[0], values[1])
            let turn = SpectrumFilling.angle(SIMD2(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x))
            let phase = SpectrumFilling.angle(a)
            let origin = ((phase - turn * Double(first)) / .pi).rounded() * .pi
            let rise = unwrapped(phase, near: origin + turn * Double(first)) - origin
            for k in 0..<first {
                result[k] = SpectrumFilling.polar(
                    SpectrumFilling.length(a), origin + rise * Double(k) / Double(first))
            }
        }
        let end = first + values.count
        if end < result.count {
            let (a, b) = (values[values.count - 2], values[values.count - 1])
            let turn = SpectrumFilling.angle(SIMD2(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x))
            for k in end..<result.count {
                result[k] = SpectrumFilling.polar(
                    SpectrumFilling.length(b), SpectrumFilling.angle(b) + turn * Double(k - end + 1))
            }
        }
        return result
    }

    private func interpolated(_ values: [SIMD2<Double>]) -> [SIMD2<Double>]? {
        let f = axis.frequencies
        let peak = values.map(SpectrumFilling.length).max() ?? 0
        guard peak > 0 else { return [SIMD2<Double>](repeating: .zero, count: axis.sampleCount / 2 + 1) }
        let levels = values.map { log(max(SpectrumFilling.length($0), 1e-9 * peak)) }
        var phases = [SpectrumFilling.angle(values[0])]
        // Radians per hertz. The mean delay of all bins so far predicts the next phase.
        var slope = 0.0
        var (doubts, steps) = (0, 0)
        for k in 1..<values.count {
            let foretold = phases[k - 1] + slope * (f[k] - f[k - 1])
            let phase = unwrapped(SpectrumFilling.angle(values[k]), near: foretold)
            if SpectrumFilling.length(values[k]) > SpectrumFilling.quietest * peak {
                steps += 1
                if abs(phase - foretold) > SpectrumFilling.doubtfulStep { doubts += 1 }
            }
            phases.append(phase)
            slope = (phase - phases[0]) / (f[k] - f[0])
        }
        guard Double(doubts) <= SpectrumFilling.tolerableDoubts * Double(steps) else { return nil }
        var rough = 0
        for k in 1..<(values.count - 1) where SpectrumFilling.length(values[k]) > SpectrumFilling.quietest * peak {
            let share = (f[k] - f[k - 1]) / (f[k + 1] - f[k - 1])
            let level = levels[k - 1] + (levels[k + 1] - levels[k - 1]) * share - levels[k]
            let phase = phases[k - 1] + (phases[k + 1] - phases[k - 1]) * share - phases[k]
            let error = SIMD2(1, 0) - SpectrumFilling.polar(exp(level), phase)
            if SpectrumFilling.length(error) > SpectrumFilling.roughness { rough += 1 }
        }
        guard Double(rough) <= SpectrumFilling.tolerableRoughness * Double(steps) else { return nil }
        let origin = ((phases[0] - slope * f[0]) / .pi).rounded() * .pi
        var segment = 0
        return (0...(axis.sampleCount / 2)).map { k in
            let frequency = Double(k) * step
            if frequency <= f[0] {
                let share = f[0] > 0 ? frequency / f[0] : 1
                return SpectrumFilling.polar(exp(levels[0]), origin + (phases[0] - origin) * share)
            }
            guard frequency < f[f.count - 1] else {
                return SpectrumFilling.polar(
                    exp(levels[f.count - 1]), phases[f.count - 1] + slope * (frequency - f[f.count - 1]))
            }
            while f[segment + 1] <= frequency { segment += 1 }
            let share = (frequency - f[segment]) / (f[segment + 1] - f[segment])
            return SpectrumFilling.polar(
                exp(levels[segment] + (levels[segment + 1] - levels[segment]) * share),
                phases[segment] + (phases[segment + 1] - phases[segment]) * share)
        }
    }

    /// Returns a phase plus whole turns, within half a turn of another.
    private func unwrapped(_ phase: Double, near other: Double) -> Double {
        other + remainder(phase - other, 2 * .pi)
    }

    private static func length(_ v: SIMD2<Double>) -> Double { (v * v).sum().squareRoot() }
    private static func angle(_ v: SIMD2<Double>) -> Double { atan2(v.y, v.x) }
    private static func polar(_ length: Double, _ angle: Double) -> SIMD2<Double> {
        SIMD2(length * cos(angle), length * sin(angle))
    }
}
