import CRealtime
import Signal

/// A limiter without latency: the gain of both ears drops within the very sample that would exceed the threshold, then
/// recovers exponentially.
///
/// Exact null below the threshold: while the gain is 1, samples pass bit for bit. The instantaneous drop distorts the
/// peaks it catches, which is the price of adding no delay; it is meant as a guard, not as an effect.
struct InstantGuard: ~Copyable {
    /// −0.1 dBFS: below every converter's clipping, above any programme that was mastered to leave room.
    static var threshold: Float { @_noLocks get { 0.988_553 } }
    /// Time constant of recovery: long against a period of 50 Hz, short against a beat.
    static var releaseSeconds: Double { 0.06 }

    private let release: Double
    /// Double precision: near 1 a recovery in steps of single precision would stand still.
    private var gain = 1.0

    /// A guard at rest.
    init(sampleRate: Double) {
        release = 1 - prc_exp(-1 / (InstantGuard.releaseSeconds * sampleRate))
    }

    /// Whether it has recovered from all peaks.
    var rests: Bool { @_noLocks get { gain == 1 } }

    /// Forgets all peaks.
    @_noLocks
    mutating func reset() { gain = 1 }

    /// Guards `count` frames in place and returns the smallest gain used. Cost: one scan where nothing needs guarding.
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
            // Within −120 dB of 1 the remaining step is inaudible and bit-exact passing resumes.
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
