import CRealtime
import Signal

/// Speed of a motion that begins and ends at rest. The speed rises linearly up to the fastest speed, and falls linearly
/// before the end.
///
/// If a motion began or ended at full speed, every gain that depends on it would have a corner. Such a corner is
/// audible in a pure tone. Only the audio thread uses the value.
struct EasedWay: BitwiseCopyable {
    /// Time from rest to full speed, seconds.
    private static var rise: Double { @_noLocks get { 0.05 } }

    /// Speed: distance per frame.
    private var speed = 0.0

    /// Whether the speed is 0.
    var rests: Bool { @_noLocks get { speed == 0 } }

    /// Returns the distance to move in the next `frames` frames. `left` is the remaining distance; near the end all of
    /// it is returned. `fastest` is the highest speed, distance per second.
    @_noLocks
    mutating func step(of left: Double, fastest: Double, frames: Int, sampleRate: Double) -> Double {
        guard left > 0 else {
            speed = 0
            return 0
        }
        let most = fastest / sampleRate, gain = most / (Self.rise * sampleRate)
        speed = min(min(speed + gain * Double(frames), most), prc_sqrt(2 * gain * left))
        let step = speed * Double(frames)
        guard step < left else {
            speed = 0
            return left
        }
        return step
    }
}
