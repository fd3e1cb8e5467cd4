import Foundation
import SeededRandom

/// Sound fields with known parts: a synthetic talker, plane waves, diffuse noise. `[channel][frame]`, ACN and SN3D.
package struct FieldScene: Sendable {
    /// Samples of the field, `[channel][frame]`.
    package var rows: [[Float]]

    /// Creates a silent field.
    package init(frames: Int, channels: Int = 4) {
        rows = Array(repeating: Array(repeating: 0, count: frames), count: channels)
    }

    /// Returns a voice: pulses of a wandering pitch through three formants that change with every syllable, four
    /// syllables a second, a fifth of them fricatives (noise about 5 kHz), a pause after every seventh. RMS about 0.05.
    package static func voice(frames: Int, seed: UInt64, pitch: Double = 120) -> [Float] {
        var random = SplitMix(state: seed), out = [Float](repeating: 0, count: frames)
        var phase = 0.0, formants = [500.0, 1500, 2500], at = 0
        var (last, smooth, smoother) = (0.0, 0.0, 0.0)
        while at < frames {
            let length = Int((0.17 + 0.1 * random.unit()) * 48_000), isPause = random.unit() < 0.14
            formants = [300 + 500 * random.unit(), 900 + 1300 * random.unit(), 2300 + 900 * random.unit()]
            let bend = 0.85 + 0.3 * random.unit(), isHissed = random.unit() < 0.2
            var gains = [Double](repeating: 0, count: 40)
            for k in 1...40 {
                let f = Double(k) * pitch
                for (i, formant) in formants.enumerated() {
                    let x = (f - formant) / (60 + 40 * Double(i))
                    gains[k - 1] += 1 / (1 + x * x) / Double(1 + i)
                }
            }
            for i in 0..<min(length, frames - at) where !isPause {
                let t = Double(i) / Double(length), envelope = sin(.pi * t) * sin(.pi * t)
                phase += 2 * .pi * pitch * (1 + 0.1 * (t - 0.5)) * bend / 48_000
                var value = 0.0
                if isHissed {
                    let noise = random.unit() - 0.5
                    smooth += 0.5 * (noise - last - smooth)
                    smoother += 0.5 * (smooth - smoother)
                    (value, last) = (1.5 * smoother, noise)
                } else {
                    for k in 1...40 { value += gains[k - 1] * sin(Double(k) * phase) }
                }
                out[at + i] = Float(0.06 * envelope * value)
            }
            at += length
        }
        return out
    }

    /// Adds a plane wave; `azimuth` returns degrees for a time in seconds, `elevation` is in degrees.
    package mutating func add(_ sound: [Float], elevation: Double = 0, gain: Float = 1, azimuth: (Double) -> Double) {
        for i in sound.indices {
            let a = azimuth(Double(i) / 48_000) * .pi / 180, e = elevation * .pi / 180
            let x = gain * sound[i]
            rows[0][i] += x
            rows[1][i] += x * Float(sin(a) * cos(e))
            rows[2][i] += x * Float(sin(e))
            rows[3][i] += x * Float(cos(a) * cos(e))
        }
    }

    /// Adds noise that falls by 3 dB an octave, from 32 directions; `level` is the RMS of W.
    package mutating func addDiffuse(level: Float, seed: UInt64) {
        var random = SplitMix(state: seed)
        let frames = rows[0].count, turn = random.unit()
        for wave in 0..<32 {
            let z = 1 - (2 * Double(wave) + 1) / 32
            let azimuth = 360 * (turn + Double(wave) * 0.618_034)
            var pink = [Float](repeating: 0, count: frames), slow = 0.0, slower = 0.0
            for i in 0..<frames {
                let white = random.unit() - 0.5
                slow += 0.05 * (white - slow)
                slower += 0.005 * (white - slower)
                pink[i] = Float(0.12 * white + slow + 3 * slower)
            }
            let power = pink.reduce(0) { $0 + $1 * $1 } / Float(frames)
            add(pink, elevation: asin(z) * 180 / .pi, gain: level / (32 * power).squareRoot()) { _ in azimuth }
        }
    }
}
