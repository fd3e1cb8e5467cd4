import CRealtime
import Signal

/// Limiter without latency. The gain of both ears drops at the very sample that would exceed the threshold, then
/// recovers exponentially.
///
/// Below the threshold, once the gain has recovered to 1, samples pass bit for bit. The instantaneous drop distorts the
/// peaks that it limits; that is the price of zero latency. The limiter is a guard, not an effect.
struct InstantGuard: ~Copyable {
    /// −0.1 dBFS: below the clipping level of every converter, above the peaks of any programme mastered with headroom.
    static var threshold: Float { @_noLocks get { 0.988_553 } }
    /// Time constant of the recovery, seconds. It is long compared with a period of 50 Hz, and short compared with a
    /// musical beat.
    static var releaseSeconds: Double { 0.06 }

    /// Share of the distance to 1 by which the gain recovers per frame.
    private let release: Double
    /// Double precision, because in single precision the steps of the recovery near 1 would round to 0.
    private var gain = 1.0

    /// Makes a guard at rest.
    init(sampleRate: Double) {
        release = 1 - prc_exp(-1 / (InstantGuard.releaseSeconds * sampleRate))
    }

    /// Whether the gain has recovered to 1.
    var rests: Bool { @_noLocks get { gain == 1 } }

    /// Resets the gain to 1.
    @_noLocks
    mutating func reset() { gain = 1 }

    /// Limits `count` frames in place and returns the smallest gain used. Cost: one scan where the signal is below the
    /// threshold.
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
            // Within −120 dB of 1 the remaining step is inaudible, and samples pass bit for bit again.
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
