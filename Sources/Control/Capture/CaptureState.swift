import Capture
import Foundation

/// State of a capture as JSON, for other programs.
struct CaptureState: Encodable {
    /// Levels of a channel.
    struct Channel: Encodable {
        /// Name of its port or its file.
        let name: String
        /// Peak of the samples, falling by 20 dB/s, and root mean square over one second; dBFS, −120 at least.
        let peak: Double, rms: Double
        /// Runs of samples at full scale so far.
        let clips: Int

        init(_ name: String, _ level: InputMeter.Level) {
            func rounded(_ value: Double) -> Double { (10 * max(-120, value)).rounded() / 10 }
            self.name = name
            peak = rounded(20 * log10(Double(max(level.peak, 1e-9))))
            rms = rounded(10 * log10(max(level.power, 1e-18)))
            clips = level.clips
        }
    }

    /// Seconds of the take; absent without one.
    let seconds: Double?
    /// Seconds of sound from before its start that a take would have.
    let preRoll: Double
    let inputs: [Channel], outputs: [Channel]
    /// Gain in force, dB.
    let gain: Double
    /// Of the take: number of markers, and of frames that did not arrive.
    let markers: Int, lostFrames: Int
    /// Whether the take waits for room on the disk.
    let isOutOfRoom: Bool

    init(_ status: CaptureEngine.Status) {
        (seconds, preRoll, gain) = (status.seconds, status.preRoll, status.gain)
        inputs = status.inputs.map { Channel($0.name, $0.level) }
        outputs = status.outputs.map { Channel($0.name, $0.level) }
        (markers, lostFrames, isOutOfRoom) = (status.markers, status.lostFrames, status.isOutOfRoom)
    }
}
