import CRealtime
import Signal

/// Limiter without latency. The gain of both ears drops at the very sample that would exceed the threshold, then
/// recovers exponentially.
///
/// Below the threshold, once the gain has recovered to 1, samples pass bit for bit. Because the gain drops
/// instantaneously, the limited peaks are distorted. The limiter is a protection, not an effect.
struct InstantGuard: ~Copyable {
    /// −0.1 dBFS: below the clipping level of every converter, above the peaks of any programme mastered with headroom.
    static var threshold: Float { @_noLocks get { 0.988_553 } }
    /// Time constant of the recovery, seconds. It is long compared with a period of 50 Hz, and short compared with a
    /// musical beat.
    static var releaseSeconds: Double { 0.06 }

    /// Part of the difference between the gain and 1 that is recovered per frame.
    private let release: Double
    /// Present gain of both ears. It is in double precision, because in single precision the steps of the recovery near
    /// 1 would be rounded to 0.
    private var gain = 1.0

    /// Makes a limiter at rest.
    init(sampleRate: Double) {
        release = 1 - prc_exp(-1 / (InstantGuard.releaseSeconds * sampleRate))
    }

    /// Whether the gain has recovered to 1.
    var rests: Bool { @_noLocks get { gain == 1 } }

    /// Resets the gain to 1.
    @_noLocks
    mutating func reset() { gain = 1 }

    /// Limits `count` frames in place and returns the smallest gain used. Cost while the signal is below the threshold
    /// and the gain is 1: one scan of the samples.
    @_noLocks
    mutating func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int)
        -> Float
    {
        let threshold = InstantGuard.threshold
        if gain == 1 && Samples.peak(left, count: count) <= threshold && Samples.peak(right, count: count) <= threshold
        {
            return 1
        }
        var smallest: Float = 1
        for i in 0..<count {
            let peak = max(abs(left[i]), abs(right[i]))
            gain += (1 - gain) * release
            // A gain within −120 dB of 1 is set to 1. The step is inaudible, and samples pass bit for bit again.
            if gain > 0.999_999 { gain = 1 }
            if Double(peak) * gain > Double(threshold) { gain = Double(threshold) / Double(peak) }
            let applied = Float(gain)
            smallest = min(smallest, applied)
            left[i] *= applied
            right[i] *= applied
        }
        return smallest
    }
}
