import Foundation
import Signal

/// The signals of EBU Tech 3341 and 3342 that can be synthesised: sines of 1 kHz in segments.
package enum TestSignal {
    /// One stretch of sound: dBFS (peak) of the sine, and seconds. Below −150 dBFS it is silence.
    package typealias Segment = (level: Double, seconds: Double)

    /// Returns a 1 kHz sine with continuous phase.
    package static func sine(_ segments: [Segment], sampleRate: SampleRate) -> [Float] {
        var samples: [Float] = []
        var frame = 0
        for segment in segments {
            let amplitude = segment.level < -150 ? 0 : pow(10, segment.level / 20)
            for _ in 0..<Int((segment.seconds * sampleRate.hertz).rounded()) {
                samples.append(Float(amplitude * sin(2 * .pi * 1000 * Double(frame) / sampleRate.hertz)))
                frame += 1
            }
        }
        return samples
    }

    /// Returns half a second of a sine at a share of the sample rate, phase in degrees. The ends are faded, so that
    /// they have no peaks between samples.
    package static func tone(shareOfRate: Double, phase: Double, amplitude: Double) -> [Float] {
        (0..<24_000).map { i in
            let fade = min(1, Double(min(i, 23_999 - i)) / 1000)
            return Float(amplitude * fade * sin(2 * .pi * shareOfRate * Double(i) + phase * .pi / 180))
        }
    }
}
