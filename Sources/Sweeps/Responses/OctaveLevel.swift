import Glibc
import HRTF

extension [OctaveLevel] {
    /// Median margin of the octaves from 250 Hz to 8 kHz, dB.
    var margin: Double {
        let margins = filter { (250...8000).contains($0.hertz) }.map(\.margin).sorted()
        return margins.isEmpty ? 0 : margins[margins.count / 2]
    }
}

/// Levels of the sweep and of the noise in one octave of a recording.
package struct OctaveLevel: Hashable, Sendable, Codable {
    /// Centre of the octave, hertz.
    package let hertz: Double
    /// Level at the louder ear while the sweep passes through the octave, dB relative to a full-scale square wave.
    package let sweep: Double
    /// Level of the noise in the octave at this ear, dB with the same reference.
    package let noise: Double

    /// Level of the sweep above the noise, dB.
    package var margin: Double { sweep - noise }

    /// Centres of the octaves, hertz.
    static let centres = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]

    /// Returns the levels of the octaves below half the sample rate.
    ///
    /// - Parameters:
    ///   - responses: one loudspeaker's responses, `[ear][sample]`.
    ///   - silence: recording before the sound, `[ear][frame]`.
    ///   - amplitude: peak of the sweep.
    static func levels(
        responses: [[Double]], silence: [[Float]], amplitude: Double, sampleRate: Double
    ) -> [OctaveLevel] {
        let heard = responses.map { powers($0, sampleRate: sampleRate, isResponse: true) }
        let noise = silence.map { powers($0.map(Double.init), sampleRate: sampleRate, isResponse: false) }
        return centres.indices.filter { centres[$0] * 2.0.squareRoot() < sampleRate / 2 }.map { place in
            let ear = heard[0][place] >= heard[1][place] ? 0 : 1
            return OctaveLevel(
                hertz: centres[place],
                sweep: 10 * log10(max(1e-20, heard[ear][place] * amplitude * amplitude / 2)),
                noise: 10 * log10(max(1e-20, noise[ear][place])))
        }
    }

    /// Returns a power for each octave: of a response (`isResponse`), the mean power of its spectrum; of a stationary
    /// signal, the signal's power in the octave. It is 0 for an octave above half the sample rate.
    private static func powers(_ row: [Double], sampleRate: Double, isResponse: Bool) -> [Double] {
        let transform = FourierTransform(minimumCount: max(4096, row.count))
        let n = transform.count
        // The noise is a section of a longer signal. A Hann window (mean square 3/8) keeps strong low frequencies in
        // their octaves.
        var real = row.indices.map { i in
            isResponse ? row[i] : row[i] * (0.5 - 0.5 * cos(2 * .pi * (Double(i) + 0.5) / Double(row.count)))
        }
        real += [Double](repeating: 0, count: n - row.count)
        var imaginary = [Double](repeating: 0, count: n)
        transform.forward(&real, &imaginary)
        let step = sampleRate / Double(n)
        return centres.map { centre in
            let first = max(1, Int(centre / 2.0.squareRoot() / step))
            let end = max(2, min(n / 2, Int(centre * 2.0.squareRoot() / step)))
            // At low sample rates the highest octaves begin above half the rate.
            guard first < end, !row.isEmpty else { return 0 }
            let bins = first..<end
            let sum = bins.reduce(0.0) { $0 + real[$1] * real[$1] + imaginary[$1] * imaginary[$1] }
            return isResponse ? sum / Double(bins.count) : 2 * sum / Double(n) / Double(row.count) * 8 / 3
        }
    }
}
