import Capture
import Foundation

/// The state of a capture for programs, as JSON.
struct CaptureState: Encodable {
    /// A channel's levels.
    struct Channel: Encodable {
        /// As its port or its file has it.
        let name: String
        /// dB of full scale, −120 at least: the largest sample, falling by 20 dB/s, and the root mean square of a
        /// second.
        let peak: Double, rms: Double
        /// Runs of samples at the limit, so far.
        let clips: Int

        init(_ name: String, _ level: InputMeter.Level) {
            func rounded(_ value: Double) -> Double { (10 * max(-120, value)).rounded() / 10 }
            self.name = name
            peak = rounded(20 * log10(Double(max(level.peak, 1e-9))))
            rms = rounded(10 * log10(max(level.power, 1e-18)))
            clips = level.clips
        }
    }

    /// Seconds of the take; absent where none grows.
    let seconds: Double?
    /// Seconds that a take would have from before its beginning.
    let preRoll: Double
    let inputs: [Channel], outputs: [Channel]
    /// dB of the gain in force.
    let gain: Double
    /// Of the take: markers, frames that did not come in.
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
