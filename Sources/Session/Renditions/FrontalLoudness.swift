import Foundation
import HRTF

/// How loud both renditions would be at the ears of a head that looks to the front, whatever the head does.
///
/// Blocks of all channels are transformed, multiplied by the responses from their loudspeakers to the ears and by the K
/// weighting of ITU-R BS.1770-5, and summed: nothing is rendered twice, and since channels are summed before their power is
/// taken, a phantom centre counts as much as it is heard. The stereo rendition is taken as played on left and right.
struct FrontalLoudness {
    /// Frames of a block.
    static let block = 4096

    private let transform: FourierTransform
    private let channelCount: Int
    /// `[channel][ear][bin]`, the K weighting included.
    private let ears: [[(real: [Float], imaginary: [Float])]]
    /// Which channels' responses the stereo pair uses.
    private let pair: [Int]

    /// - Parameters:
    ///   - responses: of every multichannel channel to the left and right ear, at most `block` samples.
    ///   - pair: the channels whose loudspeakers play left and right of the stereo rendition.
    init(responses: [(left: [Float], right: [Float])], pair: (left: Int, right: Int), sampleRate: Double) {
        let transform = FourierTransform(minimumCount: 2 * Self.block)
        self.transform = transform
        channelCount = responses.count
        self.pair = [pair.left, pair.right]
        let weights = (0...transform.count / 2).map {
            Self.weighting(at: max(1, Double($0)) / Double(transform.count), sampleRate: sampleRate)
        }
        ears = responses.map { response in
            [response.left, response.right].map { taps in
                var real = [Double](repeating: 0, count: transform.count)
                var imaginary = real
                for (i, tap) in taps.prefix(Self.block).enumerated() { real[i] = Double(tap) }
                transform.forward(&real, &imaginary)
                return (
                    zip(real, weights).map { Float($0 * $1) }, zip(imaginary, weights).map { Float($0 * $1) }
                )
            }
        }
    }

    /// Mean square at both ears, K-weighted, of one block: `[channel][frame]`, the multichannel ones first.
    func powers(_ rows: UnsafePointer<UnsafeMutablePointer<Float>>) -> (multichannel: Double, stereo: Double) {
        var spectra: [(real: [Double], imaginary: [Double])?] = []
        for row in 0..<channelCount + 2 {
            guard (0..<Self.block).contains(where: { rows[row][$0] != 0 }) else {
                spectra.append(nil)
                continue
            }
            var real = [Double](repeating: 0, count: transform.count)
            var imaginary = real
            for i in 0..<Self.block { real[i] = Double(rows[row][i]) }
            transform.forward(&real, &imaginary)
            spectra.append((real, imaginary))
        }
        let all = (0..<channelCount).map { (spectrum: spectra[$0], channel: $0) }
        let two = (0..<2).map { (spectrum: spectra[channelCount + $0], channel: pair[$0]) }
        return (power(all), power(two))
    }

    private func power(_ parts: [(spectrum: (real: [Double], imaginary: [Double])?, channel: Int)]) -> Double {
        var total = 0.0
        for ear in 0..<2 {
            var sum = [SIMD2<Double>](repeating: .zero, count: transform.count / 2 + 1)
            for part in parts {
                guard let (real, imaginary) = part.spectrum else { continue }
                let response = ears[part.channel][ear]
                for k in sum.indices {
                    let (hr, hi) = (Double(response.real[k]), Double(response.imaginary[k]))
                    sum[k] += SIMD2(real[k] * hr - imaginary[k] * hi, real[k] * hi + imaginary[k] * hr)
                }
            }
            for k in sum.indices { total += (sum[k] * sum[k]).sum() }
        }
        // Parseval over half the bins.
        return 2 * total / Double(transform.count) / Double(Self.block)
    }

    /// Magnitude of BS.1770's two filters at a frequency in cycles per sample.
    private static func weighting(at frequency: Double, sampleRate: Double) -> Double {
        // The recommendation's analogue prototypes: a shelf of 4 dB above 1682 Hz, then a high-pass at 38 Hz.
        let hertz = frequency * sampleRate
        func section(_ f0: Double, _ q: Double, _ numerator: (Double, Double, Double)) -> Double {
            let x = tan(.pi * hertz / sampleRate) / tan(.pi * f0 / sampleRate)
            let (top, middle) = (numerator.0 - numerator.2 * x * x, numerator.1 * x)
            let (bottom, side) = (1 - x * x, x / q)
            return ((top * top + middle * middle) / (bottom * bottom + side * side)).squareRoot()
        }
        guard frequency < 0.499 else { return 0 }
        let high = pow(10, 3.999_843_853_973_347 / 20)
        let band = pow(high, 0.499_666_774_154_541_6)
        let q = 0.707_175_236_955_419_6
        return section(1681.974_450_955_533, q, (1, band / q, high))
            * section(38.135_470_876_024_44, 0.500_327_037_323_877_3, (0, 0, 1))
    }
}
