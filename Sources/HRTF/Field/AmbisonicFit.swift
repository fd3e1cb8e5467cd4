import Geometry
import Glibc
import Signal

/// Complex spectra of real signals, one per channel, set bin by bin.
private struct ChannelSpectra {
    /// Spectra `[channel][bin]`, with bins for positive and negative frequencies.
    var real: [[Double]]
    var imaginary: [[Double]]

    init(channels: Int, count: Int) {
        real = [[Double]](repeating: [Double](repeating: 0, count: count), count: channels)
        imaginary = real
    }

    /// Sets one bin of every channel, with its phase rotated by `turn` radians, and the bin of the negative frequency.
    mutating func set(_ bin: Int, _ values: (real: [Double], imaginary: [Double]), turn: Double) {
        let (c, s) = (cos(turn), sin(turn))
        for channel in real.indices {
            let n = real[channel].count
            let (a, b) = (values.real[channel], values.imaginary[channel])
            // The lowest and the highest bin of a real signal are real.
            let isEdge = bin == 0 || bin == n / 2
            real[channel][bin] = a * c - b * s
            imaginary[channel][bin] = isEdge ? 0 : a * s + b * c
            guard !isEdge else { continue }
            real[channel][n - bin] = a * c - b * s
            imaginary[channel][n - bin] = -(a * s + b * c)
        }
    }
}

/// A filter field sampled at the points of a quadrature of the sphere, and the fit of decoding filters to these samples
/// in each frequency bin.
///
/// Up to 2 kHz (orders 1 to 3; 3 kHz at order 7) the complex spectra are fitted. In a transition up to 1.5 times that
/// frequency the phase is released gradually. At higher frequencies only magnitudes are fitted. The fit begins with the
/// phase that the filters have in the bin below (Schörkhuber, Zaunschirm & Höldrich, "Binaural rendering of ambisonic
/// signals via magnitude least squares", DAGA 2018; Zotter & Frank, "Ambisonics", §4.11).
///
/// Deviations from these sources, chosen by the measures in `Documentation/explanation/ambisonics.md`: five alternating
/// projections refine the phase. In the transition from a to b hertz, λ·|error of the complex value|² is added to the
/// cost, with λ = (ln(b/f)/ln(f/a))² at frequency f. Each direction's error is relative to the power from this
/// direction, because hearing is logarithmic and interaural delays depend on the far ear, too. The diffuse-field
/// constraint (Zaunschirm, Schörkhuber & Höldrich, JASA 143 (2018), eq. 14) is applied only to the levels of the ears.
/// Its rotation between the ears is omitted, because it increased the errors of plane waves.
struct AmbisonicFit {
    /// Returns the upper limit of the complex fit, hertz. An order n represents the phase of a head up to about n · 600
    /// Hz. The fit extends further, because interaural delays are audible up to 1.5 kHz and depend on the phase.
    static func lowest(order: Int) -> Double { 2000 + 250 * Double(max(0, order - 3)) }
    /// Returns the frequency from which only magnitudes are fitted, hertz.
    static func highest(order: Int) -> Double { 1.5 * lowest(order: order) }
    /// Number of projections per bin.
    static let projections = 5
    /// Lower limit of the power to which errors are relative, as a share of the mean over directions.
    static let floor = 0.01
    /// Degree up to which the quadrature is exact. Below 16 kHz, higher degrees of a head's response are less than −50
    /// dB.
    static let exactness = 47

    private let order: Int
    private let lowest: Double
    private let highest: Double
    private let method: DecodingMethod
    private let tapCount: Int
    private let transform: FourierTransform
    private let sampleRate: Double
    /// Time by which the spectra are advanced, samples: the arrival of a frontal sound after `start`.
    private let onset: Double
    private let grid: GaussGrid
    /// Real and imaginary parts of the spectra, `[ear]`, each `[bin][direction]`.
    private var real: [[Double]]
    private var imaginary: [[Double]]

    /// Samples a field at the directions of the quadrature. The first `start` samples of the field's responses, which
    /// are silent, are left out of the filters.
    init(order: Int, field: FilterField, method: DecodingMethod, tapCount: Int, start: Int) {
        self.order = order
        lowest = AmbisonicFit.lowest(order: order)
        highest = AmbisonicFit.highest(order: order)
        self.method = method
        self.tapCount = tapCount
        sampleRate = field.sampleRate.hertz
        onset = field.onsetFrames - Double(start)
        grid = GaussGrid(exactTo: AmbisonicFit.exactness)
        transform = FourierTransform(minimumCount: 2 * tapCount)
        let (n, bins, count) = (transform.count, transform.count / 2 + 1, grid.count)
        real = [[Double]](repeating: [Double](repeating: 0, count: bins * count), count: 2)
        imaginary = real
        let directions = grid.directions(in: Head.self)
        let length = field.tapCount - start
        let kept = min(length, n)
        // Responses longer than the transform are faded out, not truncated.
        let fadeStart = length > n ? n - n / 4 : kept
        var ears = EarSpectra(binCount: bins)
        for (place, direction) in directions.enumerated() {
            let (left, right) = field.responses(direction)
            var (zr, zi) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
            for i in 0..<kept {
                let fade = i < fadeStart ? 1 : 0.5 * (1 + cos(.pi * Double(i - fadeStart) / Double(kept - fadeStart)))
                zr[i] = Double(left[start + i]) * fade
                zi[i] = Double(right[start + i]) * fade
            }
            transform.forward(&zr, &zi)
            ears.separate(zr, zi)
            for ear in 0..<2 {
                ears.advance(ear, by: onset, of: n)
                for bin in 0..<bins {
                    real[ear][bin * count + place] = ears.real[ear][bin]
                    imaginary[ear][bin * count + place] = ears.imaginary[ear][bin]
                }
            }
        }
    }

    /// Returns the filters, `[ear][channel][tap]`; both ears in parallel.
    func taps() -> [Float] {
        let channels = SphericalHarmonics.count(order: order)
        var result = [Float](repeating: 0, count: 2 * channels * tapCount)
        result.withUnsafeMutableBufferPointer { target in
            let target = target
            inParallel(2, chunk: 1) { range in
                for ear in range { fit(ear, to: target, from: ear * channels * tapCount) }
            }
        }
        return result
    }

    /// Fits one ear, bin by bin in rising order.
    private func fit(_ ear: Int, to target: UnsafeMutableBufferPointer<Float>, from start: Int) {
        let (n, bins, count) = (transform.count, transform.count / 2 + 1, grid.count)
        let channels = SphericalHarmonics.count(order: order)
        var system = WeightedHarmonics(order: order, grid: grid)
        var spectra = ChannelSpectra(channels: channels, count: n)
        var wanted = (real: [Double](repeating: 0, count: count), imaginary: [Double](repeating: 0, count: count))
        var now = (real: [Double](repeating: 0, count: channels), imaginary: [Double](repeating: 0, count: channels))
        for bin in 0..<bins {
            let frequency = Double(bin) * sampleRate / Double(n)
            let a = Array(real[ear][(bin * count)..<((bin + 1) * count)])
            let b = Array(imaginary[ear][(bin * count)..<((bin + 1) * count)])
            let power = zip(a, b).map { $0 * $0 + $1 * $1 }
            let mean = zip(power, grid.weights).reduce(0) { $0 + $1.0 * $1.1 }
            switch method {
            case .leastSquares:
                if bin == 0 { system.weigh { _ in 1 } }
                now = system.solve(a, b)
            case .magnitudeLeastSquares:
                let least = AmbisonicFit.floor * mean + 1e-12
                system.weigh { 1 / (power[$0] + least) }
                if bin == 0 || frequency <= lowest {
                    now = system.solve(a, b)
                } else {
                    let hold = hold(frequency)
                    for _ in 0..<AmbisonicFit.projections {
                        system.evaluate(now.real, now.imaginary, to: &wanted.real, &wanted.imaginary)
                        for i in 0..<count {
                            let (x, y) = (wanted.real[i], wanted.imaginary[i])
                            let scale = (power[i] / max(1e-30, x * x + y * y)).squareRoot()
                            wanted.real[i] = (scale * x + hold * a[i]) / (1 + hold)
                            wanted.imaginary[i] = (scale * y + hold * b[i]) / (1 + hold)
                        }
                        now = system.solve(wanted.real, wanted.imaginary)
                    }
                }
                // In a diffuse field the level (mean power over directions) is made equal to the set's. In SN3D a
                // channel of degree l has the weight 1/(2l + 1).
                let scale = (mean / max(1e-30, diffusePower(now))).squareRoot()
                for channel in 0..<channels {
                    now.real[channel] *= scale
                    now.imaginary[channel] *= scale
                }
            }
            spectra.set(bin, now, turn: -2 * .pi * Double(bin) * onset / Double(n))
        }
        let window = AmbisonicFit.window(tapCount)
        for channel in 0..<channels {
            transform.inverse(&spectra.real[channel], &spectra.imaginary[channel])
            for i in 0..<tapCount {
                target[start + channel * tapCount + i] = Float(spectra.real[channel][i] * window[i])
            }
        }
    }

    /// Returns λ, the weight of the phase at a frequency above `lowest`.
    private func hold(_ frequency: Double) -> Double {
        guard frequency < highest else { return 0 }
        let ratio = log(highest / frequency) / log(frequency / lowest)
        return ratio * ratio
    }

    /// Returns the mean power, over all directions, of filters with these values.
    private func diffusePower(_ values: (real: [Double], imaginary: [Double])) -> Double {
        values.real.indices.reduce(0) { sum, channel in
            let (a, b) = (values.real[channel], values.imaginary[channel])
            return sum + (a * a + b * b) / Double(2 * SphericalHarmonics.degree(ofIndex: channel) + 1)
        }
    }

    /// Returns a window that fades the first 24th and the last sixth of a filter.
    private static func window(_ count: Int) -> [Double] {
        let (rise, fall) = (count / 24, count / 6)
        return (0..<count).map { i in
            if i < rise { return 0.5 * (1 - cos(.pi * (Double(i) + 0.5) / Double(rise))) }
            if i >= count - fall { return 0.5 * (1 + cos(.pi * (Double(i - count + fall) + 0.5) / Double(fall))) }
            return 1
        }
    }
}

/// Method by which the decoding filters of a sound field are computed.
package enum DecodingMethod: Sendable, Hashable, CaseIterable {
    /// Only magnitudes are fitted at frequencies at which an order cannot represent the phase; see `AmbisonicFit`.
    case magnitudeLeastSquares
    /// Complex spectra are fitted at all frequencies. The result is dull and narrow; for comparison.
    case leastSquares
}
