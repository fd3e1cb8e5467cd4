import CRealtime
import Signal

/// Gains of eight bands, dB, that give the stereo rendition the spectrum of the multichannel one at the ears.
package struct RenditionColour: BitwiseCopyable, Hashable, Sendable {
    /// Number of bands: one below 120 Hz, six of about an octave each, and one above 8 kHz.
    package static var bandCount: Int { @_noLocks get { 8 } }
    /// Crossover frequencies between the bands, Hz: `[bandCount − 1]`.
    package static let edges: [Double] = [120, 250, 500, 1000, 2000, 4000, 8000]

    private var low: SIMD4<Float> = .zero
    private var high: SIMD4<Float> = .zero

    /// Makes a colour of 0 dB in all bands.
    @_noLocks
    package init() {}

    /// The gain of a band, dB.
    package subscript(band: Int) -> Float {
        @_noLocks get { band < 4 ? low[band] : high[band - 4] }
        set { if band < 4 { low[band] = newValue } else { high[band - 4] = newValue } }
    }

    /// Returns the complex amplitude that each band has for a tone of amplitude 1. The amplitudes add up to 1. The
    /// bands are made by first-order low-passes in series, each on the remainder of the previous one.
    package static func shares(of hertz: Double, sampleRate: Double) -> [(real: Double, imaginary: Double)] {
        var left = (real: 1.0, imaginary: 0.0)
        var shares: [(real: Double, imaginary: Double)] = []
        func tangent(_ hertz: Double) -> Double {
            let angle = Double.pi * min(hertz, 0.499 * sampleRate) / sampleRate
            return prc_sin(angle) / prc_cos(angle)
        }
        for edge in edges {
            // 1 / (1 + j·t).
            let t = tangent(hertz) / tangent(edge)
            let (r, i) = (1 / (1 + t * t), -t / (1 + t * t))
            let share = (left.real * r - left.imaginary * i, left.real * i + left.imaginary * r)
            shares.append(share)
            left = (left.real - share.0, left.imaginary - share.1)
        }
        return shares + [left]
    }
}
