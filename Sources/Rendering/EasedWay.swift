import CRealtime
import Signal

/// Speed along a way that begins and ends at rest: it rises linearly to the fastest, and falls linearly towards the
/// end.
///
/// A way that began or ended at full speed would put a corner into every gain along it, audible beside a tone. Used by
/// the audio thread alone.
struct EasedWay: BitwiseCopyable {
    /// Seconds from rest to full speed.
    private static var rise: Double { @_noLocks get { 0.05 } }

    /// Way per frame.
    private var speed = 0.0

    /// Whether the speed is 0.
    var rests: Bool { @_noLocks get { speed == 0 } }

    /// Returns the way to go in the next `frames` frames, of the way `left`; all of it where the end is near.
    /// `fastest`: way per second.
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
