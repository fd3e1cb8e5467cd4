/// Scales the forecast to the latency and the sample period of the head's tracker. It averages the time from the
/// measurement of a tracker's sample until the sound rendered with its next sample is heard: the age of the sample at
/// its arrival, the sample period and the playback lead.
///
/// A Bluetooth tracker that sends 25 samples a second delivers them 60 to 200 ms late. A turn must then be predicted
/// over more than the predictor's usual horizon. The samples are also farther apart than the usual time constant of the
/// low passes, which is therefore lengthened. A value; O(1) per sample.
struct ForecastReach: Sendable {
    /// Weight of a new sample in the mean.
    private static let weight = 1.0 / 64
    /// Ratios of the required scale to the present one: above `more` or below `less`, the scale changes.
    private static let (more, less) = (1.15, 0.6)
    /// Step of both factors, and their greatest values: 4 gives a last horizon of 0.44 s, 2 is for streams of 25
    /// samples a second.
    private static let (step, mostScale, mostPace) = (0.25, 4.0, 2.0)
    /// Period of a stream above which the low passes become longer than usual, seconds.
    private static let slowPeriod = 0.02

    /// Factor on the predictor's horizons, 1…4.
    private(set) var scale = 1.0
    /// Factor on the time constant of the predictor's low passes, 1…2.
    private(set) var pace = 1.0
    private var mean: Double?

    /// Adds the age of a sample at its arrival, the period of the stream (`nil` before it is known), and the time from
    /// now until sound that is rendered now is heard; all in seconds. Returns whether a factor has changed.
    mutating func take(age: Double, period: Double?, lead: Double) -> Bool {
        guard let period else { return false }
        let needed = max(0, age) + period + lead
        let mean = mean.map { $0 + Self.weight * (needed - $0) } ?? needed
        self.mean = mean
        let before = (scale, pace)
        let wanted = max(1, mean / RatePredictor.usualHorizons.z)
        if wanted > Self.more * scale || wanted < Self.less * scale { scale = Self.step(wanted, most: Self.mostScale) }
        let slowness = max(1, period / Self.slowPeriod)
        if abs(slowness - pace) > Self.step { pace = Self.step(slowness, most: Self.mostPace) }
        return before != (scale, pace)
    }

    private static func step(_ factor: Double, most: Double) -> Double {
        min(most, (factor / step - 0.2).rounded(.up) * step)
    }
}
