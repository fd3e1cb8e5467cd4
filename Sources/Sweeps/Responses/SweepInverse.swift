import Glibc
import HRTF
import Signal

/// The inverse of a sweep, prepared for recordings of up to a given number of frames.
///
/// Deconvolution is a division of spectra. A small term is added to the sweep's power, so that noise outside the band
/// is not amplified (Kirkeby & Nelson, JAES 47 (1999), eq. 8). Within the band this term is 80 dB below the sweep.
/// Below the band, a high-pass filter reduces the responses by 24 dB per octave (Butterworth, fourth order), as a
/// loudspeaker does. It is causal, so no response rings before its direct sound. The filter at the band's upper edge
/// has zero phase.
struct SweepInverse {
    /// The transform of recordings.
    let transform: FourierTransform
    /// Inverse spectrum, bins 0…n/2. The product of this and a recording's spectrum is the spectrum of the responses.
    private let inverse: [SIMD2<Double>]
    /// The sweep's spectrum, bins 0…n/2.
    private let sweep: [SIMD2<Double>]
    /// Complex weight of each frequency, bins 0…n/2: the filters at the band's edges.
    private let weights: [SIMD2<Double>]

    /// Prepares the inverse of a sweep for recordings of up to `frames` frames. O(n log n).
    init(_ sweep: ExponentialSweep, frames: Int) {
        self.init(
            samples: sweep.samples, band: sweep.band, sampleRate: sweep.sampleRate, frames: frames,
            edge: log2(1.02))
    }

    /// Prepares the inverse of a pilot.
    init(_ pilot: Pilot, sampleRate: Double, frames: Int) {
        let high = min(Pilot.band.high, 0.45 * sampleRate)
        self.init(
            samples: pilot.samples, band: (1.2 * Pilot.band.low)...(0.9 * high), sampleRate: sampleRate, frames: frames,
            edge: 0.15)
    }

    /// - Parameter edge: width of the band's upper edge, octaves.
    private init(
        samples: [Float], band: ClosedRange<Double>, sampleRate: Double, frames: Int,
        edge: Double
    ) {
        let transform = FourierTransform(minimumCount: frames + samples.count)
        let half = transform.count / 2
        var real = samples.map(Double.init) + [Double](repeating: 0, count: transform.count - samples.count)
        var imaginary = [Double](repeating: 0, count: transform.count)
        transform.forward(&real, &imaginary)
        let step = sampleRate / Double(transform.count)
        let powers = (0...half).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
        // The mean of power times frequency in the band: the power of an exponential sweep falls by 3 dB per octave.
        let inside = Int(band.lowerBound / step)...min(half, Int(band.upperBound / step))
        let level = inside.reduce(0.0) { $0 + powers[$1] * Double($1) * step } / Double(inside.count)
        weights = (0...half).map { bin in
            let hertz = max(1e-3, Double(bin) * step)
            let fall = RaisedCosine.value(1 + log2(band.upperBound / hertz) / edge)
            return fall * SweepInverse.rise(hertz / band.lowerBound)
        }
        let weights = weights
        inverse = (0...half).map { bin in
            let hertz = max(band.lowerBound / 4, Double(bin) * step)
            let gain = weights[bin] / (powers[bin] + 1e-8 * level / hertz)
            return SIMD2(
                gain.x * real[bin] + gain.y * imaginary[bin], gain.y * real[bin] - gain.x * imaginary[bin])
        }
        sweep = (0...half).map { SIMD2(real[$0], imaginary[$0]) }
        self.transform = transform
    }

    /// Returns the response of a high-pass of the fourth order at a frequency relative to its corner:
    /// x⁴ / ((x² − 1 − i·x·2·sin 22.5°)·(x² − 1 − i·x·2·sin 67.5°)).
    static func rise(_ x: Double) -> SIMD2<Double> {
        var value = SIMD2(x * x * x * x, 0.0)
        for angle in [Double.pi / 8, 3 * Double.pi / 8] {
            let (a, b) = (x * x - 1, -2 * x * sin(angle))
            let size = a * a + b * b
            value = SIMD2(value.x * a + value.y * b, value.y * a - value.x * b) / size
        }
        return value
    }

    /// Returns both ears' deconvolved recordings, circular. The response to a sweep that begins at frame t begins at
    /// index t; a negative t is at index `transform.count` + t. O(n log n), both ears in one transform.
    func deconvolved(_ left: [Float], _ right: [Float]) -> (left: [Double], right: [Double]) {
        var (real, imaginary) = spectrum(left, right)
        multiply(&real, &imaginary, by: inverse)
        transform.inverse(&real, &imaginary)
        return (real, imaginary)
    }

    /// Subtracts the sound of `responses` (circular, as `deconvolved` returns them) from both ears' recordings, and
    /// returns the rest in the sweep's band.
    func remainder(
        of left: [Float], _ right: [Float], without responses: (left: [Double], right: [Double])
    ) -> (left: [Double], right: [Double]) {
        var (real, imaginary) = spectrum(left, right)
        multiply(&real, &imaginary, by: weights)
        var (modelReal, modelImaginary) = responses
        transform.forward(&modelReal, &modelImaginary)
        multiply(&modelReal, &modelImaginary, by: sweep)
        for i in real.indices {
            real[i] -= modelReal[i]
            imaginary[i] -= modelImaginary[i]
        }
        transform.inverse(&real, &imaginary)
        return (real, imaginary)
    }

    private func spectrum(_ left: [Float], _ right: [Float]) -> ([Double], [Double]) {
        precondition(left.count == right.count && left.count <= transform.count)
        let silence = [Double](repeating: 0, count: transform.count - left.count)
        var (real, imaginary) = (left.map(Double.init) + silence, right.map(Double.init) + silence)
        transform.forward(&real, &imaginary)
        return (real, imaginary)
    }

    /// Multiplies the transform of two real signals, one as its input's real and one as the imaginary part, by the
    /// spectrum of a real filter.
    private func multiply(_ real: inout [Double], _ imaginary: inout [Double], by filter: [SIMD2<Double>]) {
        let n = transform.count
        for bin in 0..<n {
            let value = bin <= n / 2 ? filter[bin] : SIMD2(filter[n - bin].x, -filter[n - bin].y)
            (real[bin], imaginary[bin]) = (
                real[bin] * value.x - imaginary[bin] * value.y, real[bin] * value.y + imaginary[bin] * value.x
            )
        }
    }
}
