import Geometry
import IMU

/// Tells a jump of a tracker's own reference (its recentring, a compass that is believed again) from a turn of the
/// head.
///
/// A sample that no head could have turned to since the last is held back until the next shows what it was: a turn goes
/// on at least as far, after a jump the motion is as before, and from a glitch it comes back. Real heads reach 1000°/s
/// by speeding up over tens of milliseconds, which the samples before show. O(1), without allocation.
struct JumpDetector: Sendable {
    /// What a sample is.
    enum Verdict {
        /// It goes on from the last.
        case ordinary
        /// It is to be left out until the next one comes.
        case heldBack
        /// What was held back was a turn of the head: it counts, and so does this sample.
        case turned(OrientationSample)
        /// What was held back is where the stream goes on from; then comes this sample.
        case jumped(OrientationSample)
    }

    /// What is suspected: 3° more than a head could turn, or five and a half times the noise per axis.
    private static var leastStep: Double { 3 * .pi / 180 }
    private static var timesNoise: Double { 5.5 }
    /// From one step to the next the turn of a head grows by at² at most: 10 000°/s². Steps of 8° more are always
    /// suspected.
    private static var greatestAcceleration: Double { 10_000 * .pi / 180 }
    private static var certainStep: Double { 8 * .pi / 180 }
    /// Seconds after a turn that was suspected for which none is.
    private static var respite: Double { 0.15 }
    /// Seconds between samples above which nothing is suspected.
    private static var longestStep: Double { 0.1 }

    /// A sample that counted, and the rate from the one before it to it, rad/s in body axes.
    private struct Step {
        var sample: OrientationSample
        var rate: SIMD3<Double>?
    }
    private var last: Step?
    /// Before the last: what one that came in the same moment goes on from.
    private var earlier: Step?
    /// What is held back, by what it is more than was expected (rotation vector), and the rate expected.
    private var suspect: (sample: OrientationSample, excess: SIMD3<Double>, rate: SIMD3<Double>)?
    private var trustedUntil = -Double.infinity

    /// When what is held back arrived; `nil` where nothing is.
    var heldSince: Double? { suspect?.sample.arrival }

    /// Gives out what is held back.
    mutating func release() -> OrientationSample? {
        defer { suspect = nil }
        return suspect?.sample
    }

    /// Judges a sample. `rate`: what the filter takes it to be, rad/s; `noise`: radians per axis; `period`: the usual
    /// one, seconds. Of samples that come in one moment, though they were taken one after the other, the last counts.
    mutating func judge(
        _ sample: OrientationSample, rate: SIMD3<Double>, noise: Double, period: Double
    ) -> Verdict {
        let bunch = max(0.001, 0.3 * period)
        if let held = suspect, sample.time - held.sample.time >= bunch {
            suspect = nil
            let turned = Self.rate(from: held.sample, to: sample)
            // By how much it went on in the same direction, in steps like the first.
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

    /// The rate at which it could have gone on: the tracker's own, or of the filter's and the last step's the nearer.
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
