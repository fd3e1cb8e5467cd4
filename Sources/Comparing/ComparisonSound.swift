import AudioIO
import Foundation
import Session
import Signal
import Soundstage

/// Default sound of a comparison: bursts of pink noise from directions round the horizon, then at other elevations.
///
/// Bursts with pauses reveal onsets, reverberation in the set and the direction; pink noise reveals colouration. At one
/// sample rate the samples are always the same.
package struct ComparisonSound {
    /// Directions in order, in degrees: azimuth (left positive) and elevation.
    package static let places: [(azimuth: Double, elevation: Double)] = [
        (0, 0), (-45, 0), (-90, 0), (-135, 0), (180, 0), (135, 0), (90, 0), (45, 0),
        (0, 45), (0, 90), (180, 45), (180, -30), (0, -30),
    ]
    /// Number of bursts at each direction.
    private static let bursts = 3
    /// Durations in seconds: of a burst, of the silence after each burst, of a burst's rise and fall, and of the
    /// further silence before the next direction.
    private static let (length, gap, ramp, pause) = (0.12, 0.06, 0.01, 0.2)
    /// Root mean square of a burst, in dBFS.
    private static let level = Decibels(-20)

    /// Layout of the sound: a loudspeaker for each direction.
    package static var layout: Layout {
        Layout(
            name: "comparison",
            loudspeakers: places.enumerated().map { index, place in
                Loudspeaker(
                    symbol: "P\(index + 1)", azimuthDegrees: place.azimuth, elevationDegrees: place.elevation)
            })
    }

    /// The layout as a JSON file.
    package static var layoutJSON: String {
        let loudspeakers = layout.loudspeakers.map {
            "{ \"name\": \"\($0.symbol)\", \"azimuth\": \($0.azimuthDegrees), \"elevation\": \($0.elevationDegrees) }"
        }
        return "{ \"name\": \"\(layout.name)\", \"loudspeakers\": [\(loudspeakers.joined(separator: ", "))] }"
    }

    /// Writes the sound as a file with one channel for each direction: about ten seconds.
    package static func write(to path: String, sampleRate: SampleRate = .studio) throws(SoundFileError) {
        let writer = try SoundFileWriter(path: path, channels: places.count, sampleRate: sampleRate)
        let burst = burst(sampleRate)
        let step = Int((length + gap) * sampleRate.hertz)
        let frames = bursts * step + Int(pause * sampleRate.hertz)
        let block = PlanarBlock(channels: places.count, frames: frames)
        for place in places.indices {
            for channel in places.indices {
                for frame in 0..<frames { block[channel][frame] = 0 }
            }
            for repetition in 0..<bursts {
                for (frame, sample) in burst.enumerated() { block[place][repetition * step + frame] = sample }
            }
            try writer.write(block, frames: frames)
        }
        try writer.finish()
    }

    /// Returns a burst of pink noise: white noise through P. Kellet's filter (musicdsp.org, 1999), within 0.5 dB of −3
    /// dB per octave above 20 Hz, with raised-cosine ends.
    private static func burst(_ sampleRate: SampleRate) -> [Float] {
        let (count, edge) = (Int(length * sampleRate.hertz), max(1, Int(ramp * sampleRate.hertz)))
        let poles = [0.99886, 0.99332, 0.96900, 0.86650, 0.55000, -0.7616]
        let gains = [0.0555179, 0.0750759, 0.1538520, 0.3104856, 0.5329522, -0.0168980]
        var (states, delayed) = ([Double](repeating: 0, count: 6), 0.0)
        // Linear congruential generator with Knuth's MMIX constants.
        var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
        var noise: [Double] = []
        // The first 8192 samples let the slowest pole settle.
        for frame in 0..<(count + 8192) {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let white = Double(seed >> 11) / Double(1 << 52) - 1
            for i in poles.indices { states[i] = poles[i] * states[i] + gains[i] * white }
            let pink = states.reduce(0, +) + delayed + 0.5362 * white
            delayed = 0.115926 * white
            if frame >= 8192 { noise.append(pink) }
        }
        let scale = level.amplitude / (noise.reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot()
        return noise.enumerated().map { frame, sample in
            let inside = min(1, Double(min(frame, count - 1 - frame)) / Double(edge))
            return Float(scale * sample * (1 - cos(.pi * inside)) / 2)
        }
    }
}
