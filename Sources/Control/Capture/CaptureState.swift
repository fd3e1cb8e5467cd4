import Capture
import Foundation

/// State of a capture as JSON, for other programs.
struct CaptureState: Encodable {
    /// Levels of a channel.
    struct Channel: Encodable {
        /// Name of the channel's port or file.
        let name: String
        /// Peak of the samples, which falls by 20 dB/s, and root mean square over one second; dBFS, at least −120.
        let peak: Double, rms: Double
        /// Number of runs of samples at full scale so far.
        let clips: Int

        init(_ name: String, _ level: InputMeter.Level) {
            func rounded(_ value: Double) -> Double { (10 * max(-120, value)).rounded() / 10 }
            self.name = name
            peak = rounded(20 * log10(Double(max(level.peak, 1e-9))))
            rms = rounded(10 * log10(max(level.power, 1e-18)))
            clips = level.clips
        }
    }

    /// Duration of the take, seconds; absent without a take.
    let seconds: Double?
    /// Duration of the pre-roll with which a take would begin, seconds.
    let preRoll: Double
    let inputs: [Channel], outputs: [Channel]
    /// Gain in force, dB.
    let gain: Double
    /// Number of markers, and number of frames lost, in the take.
    let markers: Int, lostFrames: Int
    /// Whether the take is waiting for disk space.
    let isOutOfRoom: Bool

    init(_ status: CaptureEngine.Status) {
        (seconds, preRoll, gain) = (status.seconds, status.preRoll, status.gain)
        inputs = status.inputs.map { Channel($0.name, $0.level) }
        outputs = status.outputs.map { Channel($0.name, $0.level) }
        (markers, lostFrames, isOutOfRoom) = (status.markers, status.lostFrames, status.isOutOfRoom)
    }
}
