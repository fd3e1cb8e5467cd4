import Geometry
import IMU

/// Distinguishes a jump of a tracker's own reference (its recentring, a compass that is used again) from a turn of the
/// head.
///
/// A sample too far from the last one for any turn of a head is held back until the next sample decides. After a turn
/// the motion continues by more than half of the held sample's excess over the expected turn. After a jump the rate is
/// as before, and after a glitch the orientation is as before. Real heads need tens of milliseconds to reach 1000°/s,
/// so earlier samples show the acceleration. O(1), without allocation.
struct JumpDetector: Sendable {
    /// Verdict on a sample.
    enum Verdict {
        /// The sample continues the stream.
        case ordinary
        /// The sample is held back until the next one arrives.
        case heldBack
        /// The held sample was a turn of the head: both it and this sample are used.
        case turned(OrientationSample)
        /// The reference jumped at the held sample: the stream continues from it, then from this sample.
        case jumped(OrientationSample)
    }

    /// Constant part of the least excess that is suspect, radians: 3°, in addition to the turn by
    /// `greatestAcceleration`. If `timesNoise` times the noise per axis is larger, that limit applies.
    private static var leastStep: Double { 3 * .pi / 180 }
    private static var timesNoise: Double { 5.5 }
    /// Greatest acceleration of a head, 10 000°/s². From one step to the next, t seconds apart, the turn grows by at
    /// most this acceleration times t². `certainStep`: greatest value of the limit from motion, so that an excess above
    /// 8° is suspect at any t.
    private static var greatestAcceleration: Double { 10_000 * .pi / 180 }
    private static var certainStep: Double { 8 * .pi / 180 }
    /// Seconds after a confirmed turn during which no sample is suspect.
    private static var respite: Double { 0.15 }
    /// Interval between samples above which no sample is suspect, seconds.
    private static var longestStep: Double { 0.1 }

    /// A sample in use, and the rate from the previous sample to it, rad/s in body axes.
    private struct Step {
        var sample: OrientationSample
        var rate: SIMD3<Double>?
    }
    private var last: Step?
    /// Step before the last one. A later sample of the same bunch (less than 1 ms or 0.3 periods apart) is compared
    /// with this step.
    private var earlier: Step?
    /// The held sample, its excess over the expected turn (rotation vector, radians), and the expected rate, rad/s.
    private var suspect: (sample: OrientationSample, excess: SIMD3<Double>, rate: SIMD3<Double>)?
    private var trustedUntil = -Double.infinity

    /// Arrival of the held sample; `nil` if there is none.
    var heldSince: Double? { suspect?.sample.arrival }

    /// Returns the held sample and clears it.
    mutating func release() -> OrientationSample? {
        defer { suspect = nil }
        return suspect?.sample
    }

    /// Judges a sample. `rate`: the filter's rate, rad/s. `noise`: radians per axis. `period`: usual period, seconds.
    mutating func judge(
        _ sample: OrientationSample, rate: SIMD3<Double>, noise: Double, period: Double
    ) -> Verdict {
        let bunch = max(0.001, 0.3 * period)
        if let held = suspect, sample.time - held.sample.time >= bunch {
            suspect = nil
            let turned = Self.rate(from: held.sample, to: sample)
            // Share of the held excess by which the motion continued in the same direction.
            let step = (turned - (sample.rate ?? held.rate)) * (sample.time - held.sample.time)
            let share = (step * held.excess).sum() / (held.excess * held.excess).sum()
            if share > -0.5 {
                (earlier, last) = (Step(sample: held.sample, rate: held.rate), Step(sample: sample, rate: turned))
                guard share > 0.5 else { return .jumped(held.sample) }
                trustedUntil = sample.time + Self.respite
                return .turned(held.sample)
            }
        }
        suspect = nil
        if let last, sample.time - last.sample.time >= bunch { earlier = last }
        guard let base = earlier, sample.time > base.sample.time else {
            last = Step(sample: sample, rate: nil)
            earlier = earlier ?? last
            return .ordinary
        }
        let turned = Self.rate(from: base.sample, to: sample)
        let span = sample.time - base.sample.time
        if max(span, period) <= Self.longestStep, sample.time > trustedUntil {
            let expected = Self.expected(turned, base, sample, rate)
            let excess = (turned - expected) * span
            let byMotion = Self.leastStep + Self.greatestAcceleration * max(span * span, period * period)
            let least = max(min(byMotion, Self.certainStep), Self.timesNoise * noise)
            if (excess * excess).sum() > least * least {
                suspect = (sample, excess, expected)
                return .heldBack
            }
        }
        last = Step(sample: sample, rate: turned)
        return .ordinary
    }

    /// Returns the expected rate, rad/s: the mean of the rates that the tracker sent with both samples. If the tracker
    /// sends none, it is the filter's rate or the rate of the previous step, whichever is nearer to the actual turn.
    private static func expected(
        _ turned: SIMD3<Double>, _ base: Step, _ sample: OrientationSample, _ rate: SIMD3<Double>
    ) -> SIMD3<Double> {
        if let own = sample.rate { return (own + (base.sample.rate ?? own)) / 2 }
        guard let before = base.rate else { return rate }
        let (a, b) = (turned - rate, turned - before)
        return (a * a).sum() < (b * b).sum() ? rate : before
    }

    private static func rate(from a: OrientationSample, to b: OrientationSample) -> SIMD3<Double> {
        (a.bodyToWorld.quaternion.conjugate * b.bodyToWorld.quaternion).rotationVector / (b.time - a.time)
    }
}
