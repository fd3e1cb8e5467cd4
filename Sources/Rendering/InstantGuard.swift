import CRealtime
import Signal

/// Limiter without latency: the gain of both ears drops in the very sample that would exceed the threshold, then
/// recovers exponentially.
///
/// Below the threshold the gain is 1 and samples pass bit for bit. The instantaneous drop distorts the peaks that it
/// limits, which is the price of no delay. The limiter is a guard, not an effect.
struct InstantGuard: ~Copyable {
    /// −0.1 dBFS: below every converter's clipping, above any programme mastered with headroom.
    static var threshold: Float { @_noLocks get { 0.988_553 } }
    /// Time constant of the recovery, seconds: long against a period of 50 Hz, short against a beat.
    static var releaseSeconds: Double { 0.06 }

    private let release: Double
    /// Double precision: near 1, steps of the recovery in single precision would round to 0.
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

    /// Limits `count` frames in place and returns the smallest gain used. Cost: one scan below the threshold.
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
