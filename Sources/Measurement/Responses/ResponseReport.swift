import Foundation
import Rooms
import Sweeps

/// Result of `measure responses`, for the user and for programs.
package struct ResponseReport: Codable, Sendable {
    /// One recording.
    package struct Take: Codable, Sendable {
        /// Path of the file.
        package let file: String
        /// Yaw of the head, degrees.
        package let yaw: Double
        /// Largest sample, dB re full scale.
        package let peak: Double
        /// Margin of the sweep over the noise, dB.
        package let margin: Double
        /// Levels of the first loudspeaker's sweep and of the noise, by octaves.
        package let levels: [OctaveLevel]
        /// Short names of the faults that were accepted, and their descriptions.
        package let faults: [String], remarks: [String]
        /// Frequency of the recording clock relative to the playing clock, less one, in millionths; nil if unknown.
        package let drift: Double?
        /// Loudspeakers of the take.
        package let loudspeakers: [Loudspeaker]

        init(_ found: NamedTake) {
            (file, yaw) = (found.path, found.yaw)
            peak = 20 * log10(max(1e-9, found.take.peak))
            (levels, margin) = (found.take.levels, found.take.margin)
            (faults, remarks) = (found.faults.map(\.name), found.faults.map(\.description))
            drift = found.take.drift
            loudspeakers = found.take.responses.map(Loudspeaker.init)
        }
    }

    /// One loudspeaker of a take.
    package struct Loudspeaker: Codable, Sendable {
        /// Name of the loudspeaker.
        package let name: String
        /// Reverberation time T30 at each ear, seconds (ISO 3382-1); nil if the decay has no such range.
        package let reverberationTimes: [Double?]
        /// Level of the noise at each ear, dB relative to the 10 ms from the response's peak on; nil if no decay was
        /// found.
        package let noise: [Double?]
        /// Amplitude of the harmonics 2 to 5, per cent of the linear response.
        package let distortion: Double
        /// How much later the sound is at the left ear than at the right, microseconds.
        package let interauralMicroseconds: Double
        /// Level of the first sound from 100 to 300 Hz at the left ear less that at the right, dB; nil if it does not
        /// stand out of the noise.
        package let interauralDecibels: Double?
        /// Time from the sweep's start to the first sample of the response, ms. For recordings that began
        /// apart, it follows from the loudspeaker's distance.
        package let delay: Double

        init(_ response: LoudspeakerResponse) {
            name = response.loudspeaker
            reverberationTimes = response.ears.map { row in
                RoomMeasures.reverberationTime(RoomMeasures.energyDecay(row), sampleRate: response.sampleRate)
            }
            noise = response.decays.map { $0?.noise }
            distortion = response.distortion
            interauralMicroseconds = response.interauralTime * 1e6
            interauralDecibels = response.interauralLevel
            delay = Double(response.origin) / response.sampleRate * 1000
        }
    }

    /// Files written.
    package let files: [String]
    /// Takes, in the order in which they were named.
    package let takes: [Take]
    /// Sample rate, hertz, and samples of each response.
    package let sampleRate: Double, samples: Int
    /// Delay that was common to all responses and has been removed, ms.
    package let commonDelay: Double

    /// The report in words.
    package var lines: [String] {
        var lines: [String] = []
        for take in takes {
            lines.append(
                String(
                    format: "%@: head at %.3g°, peak %.1f dBFS, sweep %.0f dB above the noise", take.file, take.yaw,
                    take.peak, take.margin))
            for loudspeaker in take.loudspeakers {
                let times = loudspeaker.reverberationTimes.map {
                    $0.map { String(format: "%.0f ms", $0 * 1000) } ?? "–"
                }
                lines.append(
                    String(
                        format: "  %@: T30 %@ left, %@ right; time between the ears %+.0f µs; distortion %.2f %%",
                        loudspeaker.name, times[0], times[1], loudspeaker.interauralMicroseconds, loudspeaker.distortion
                    ))
            }
            lines += take.remarks.map { "  note: \($0)" }
        }
        lines.append(
            String(
                format: "%@: %d samples at %.6g Hz, %.1f ms cut that all had in common", files.joined(separator: ", "),
                samples, sampleRate, commonDelay))
        return lines
    }
}
