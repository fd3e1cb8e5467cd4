import CRealtime
import Signal

/// Gains of eight bands, dB: what makes the stereo rendition sound as the multichannel one does at the ears.
package struct RenditionColour: BitwiseCopyable, Hashable, Sendable {
    /// Bands: below 120 Hz, then an octave each, above 8 kHz.
    package static var bandCount: Int { @_noLocks get { 8 } }
    /// Hz at which one band passes into the next: `[bandCount − 1]`.
    package static let edges: [Double] = [120, 250, 500, 1000, 2000, 4000, 8000]

    private var low: SIMD4<Float> = .zero
    private var high: SIMD4<Float> = .zero

    /// All 0 dB.
    @_noLocks
    package init() {}

    /// The gain of a band, dB.
    package subscript(band: Int) -> Float {
        @_noLocks get { band < 4 ? low[band] : high[band - 4] }
        set { if band < 4 { low[band] = newValue } else { high[band - 4] = newValue } }
    }

    /// What each band has of a tone: complex, they add up to 1. First-order low-passes, each of what the one before
    /// left.
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
