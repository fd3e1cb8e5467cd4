import Geometry
import Glibc
import IMU

/// Latency of one tracker's samples relative to the other's, measured while both are in one vehicle.
///
/// Both trackers turn with the vehicle; the head also moves by itself. So their rates about the vertical agree best if
/// one is shifted by the difference of the two latencies. Each segment of 0.4 s is weighted by the logarithm of its
/// mean square difference (the likelihood of a residual of unknown size), so that times when the head rests have the
/// most weight. A segment in which the device does not turn gives no preference to any latency.
///
/// The result is only shown: pose, reference and recentring do not depend on it. Cost: some microseconds every 0.4 s.
struct RelativeLateness: Sendable {
    /// Shifts of the head's trace, in entries of 0.01 s: from −0.2 to 0.4 s.
    private static let lags = -20...40
    /// Length of a segment in entries: 0.4 s.
    private static let length = 40
    /// Mean square difference of the two rates on a vehicle with a resting head, (rad/s)².
    private static let floor = (Double.pi / 180) * (Double.pi / 180)
    /// Time constant with which the weight of a segment falls, seconds.
    private static let memory = 900.0
    /// Least logarithm of the likelihood ratio to the hypothesis that the head does not turn with the device (`ride`),
    /// and to the hypothesis that the relative latency is at most 20 ms (`delay`).
    private static let least = (ride: 15.0, delay: 10.0)
    /// Greatest standard deviation of a result, and least latency that is reported; seconds.
    private static let bounds = (deviation: 0.018, delay: 0.03)
    /// Factor on the standard deviation for independent segments, because a motion of the head lasts longer than one
    /// segment.
    private static let dependence = 1.5
    /// Greatest difference between the results of the odd and of the even segments, in entries.
    private static let agreement = 2

    private var head = TurnTrace()
    private var device = TurnTrace()
    /// Logarithm of the likelihood ratio of each lag to the first hypothesis of `least`, from even (x) and from odd (y)
    /// segments.
    private var gains = [SIMD2<Double>](repeating: .zero, count: lags.count)
    private var segments = 0
    /// First entry of the next segment.
    private var next = 0

    /// Present result; nil while it is uncertain or below 30 ms.
    private(set) var found: HeadTrackerStatus.Lateness?

    /// Adds a measurement of the head's tracker. `pose`: body to world.
    mutating func takeHead(_ sample: TrackerSample, pose: Quaternion) {
        head.take(sample, pose: pose)
        weigh()
    }

    /// Adds a measurement of the device's tracker, as `takeHead`.
    mutating func takeDevice(_ sample: TrackerSample, pose: Quaternion) {
        device.take(sample, pose: pose)
        weigh()
    }

    /// Evaluates the segments that both traces now contain.
    private mutating func weigh() {
        let margin = TurnTrace.reach
        let first = margin + max(device.known.lowerBound, head.known.lowerBound - Self.lags.lowerBound)
        let end = min(device.known.upperBound, head.known.upperBound - Self.lags.upperBound) - margin
        // After a gap, or after a clock was set back, the segments restart.
        if next < first || next > end + 1000 { next = first }
        while next + Self.length <= end {
            weigh(segment: next)
            next += Self.length
            found = judged
        }
    }

    private mutating func weigh(segment: Int) {
        let fading = 1 - Double(Self.length) * TurnTrace.step / Self.memory
        let half = segments & 1
        segments += 1
        for (index, lag) in Self.lags.enumerated() {
            var (alone, apart) = (0.0, 0.0)
            for entry in stride(from: segment, to: segment + Self.length, by: 2) {
                let rate = head.rate(entry + lag)
                let difference = rate - device.rate(entry)
                alone += rate * rate
                apart += difference * difference
            }
            let least = Self.floor * Double(Self.length / 2)
            gains[index][half] = gains[index][half] * fading + 0.5 * log((least + alone) / (least + apart))
        }
    }

    /// Result of all segments so far; nil as for `found`.
    private var judged: HeadTrackerStatus.Lateness? {
        let best = largest { $0.sum() }
        guard best > 0, best < gains.count - 1, abs(largest(\.x) - largest(\.y)) <= Self.agreement else { return nil }
        let (before, here, after) = (gains[best - 1].sum(), gains[best].sum(), gains[best + 1].sum())
        let bend = 2 * here - before - after
        guard here > Self.least.ride, bend > 0 else { return nil }
        let lag = Double(Self.lags.lowerBound + best) + (after - before) / (2 * bend)
        let result = HeadTrackerStatus.Lateness(
            seconds: lag * TurnTrace.step, deviation: Self.dependence * TurnTrace.step / bend.squareRoot())
        let punctual = (-2...2).map { gains[$0 - Self.lags.lowerBound].sum() }.max() ?? 0
        guard result.deviation < Self.bounds.deviation, abs(result.seconds) >= Self.bounds.delay,
            here - punctual > Self.least.delay
        else { return nil }
        return result
    }

    /// Returns the index of the lag with the largest gain.
    private func largest(_ gain: (SIMD2<Double>) -> Double) -> Int {
        gains.indices.max { gain(gains[$0]) < gain(gains[$1]) } ?? 0
    }
}
