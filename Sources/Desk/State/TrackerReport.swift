import HeadTracking
import IMU

/// How one tracker does, for people, programs and control surfaces.
package struct TrackerReport: Codable, Sendable {
    /// As given on the command line, `osc:9000`.
    package var tracker: String
    /// The name under which its mounting and bias are remembered.
    package var id: String
    /// What it speaks, once recognised.
    package var format: String?
    /// `open`, `closed`, or `lost` with the reason.
    package var connection: String
    /// Whether what it says is young enough to be used.
    package var fresh: Bool
    /// Seconds since the newest sample; nil before the first.
    package var ageSeconds: Double?
    /// Samples per second over about the last second.
    package var rateHertz: Double
    /// Samples received.
    package var received: Int
    /// Whatever came and was not used, and how often, by cause.
    package var dropped: [String: Int]
    /// Milliseconds RMS by which samples come later than the least delayed.
    package var jitterMilliseconds: Double?
    /// Messages that were sent and never came; nil where the sender does not count its messages,
    /// and it cannot be known.
    package var lost: Int?
    /// The share of them over about the last thousand, 0…1; nil as `lost`.
    package var loss: Double?
    /// Parts per million by which the sender's second is longer than ours; nil for senders without a clock.
    package var skewPPM: Double?
    /// Noise of its orientation, degrees RMS per axis.
    package var noiseDegrees: Double?
    /// What is known of a raw IMU's gyroscope bias: degrees per second about x, y, z.
    package var biasDegreesPerSecond: [Double]?
    /// Whether a raw IMU is taken to be at rest.
    package var atRest: Bool?
    /// Degrees per minute by which a raw IMU's heading may drift (one standard deviation).
    package var driftDegreesPerMinute: Double?
    /// How sure a raw IMU's heading is, degrees (one standard deviation).
    package var headingDeviationDegrees: Double?

    /// What is wrong with what it sends and can be mended; empty where nothing is known to be.
    package var complaints: [Complaint]

    /// Something wrong with what a tracker sends.
    package struct Complaint: Codable, Sendable {
        /// One word: `secondSender`, or what is wrong with its stamps (`unit`, `jitter`, `quantised`, `constant`,
        /// `backwards`, `interleaved`, `rate`).
        package var name: String
        /// What is wrong, what is done about it, and what to do; one line.
        package var words: String
    }

    /// Everything not used.
    package var droppedTotal: Int { dropped.values.reduce(0, +) }

    /// What an inlet and the head tracker know at a time.
    package init(
        _ inlet: TrackerInlet, fresh: Bool, noise: Double?, inertial: HeadTrackerStatus.Inertial?, at now: Double
    ) {
        let health = inlet.health
        let degrees = 180 / Double.pi
        tracker = inlet.specification.description
        id = inlet.id
        format = health.format
        connection =
            switch health.connection {
            case .closed: "closed"
            case .open: "open"
            case .lost(let reason): "lost: \(reason)"
            }
        self.fresh = fresh
        ageSeconds = health.age(at: now)
        rateHertz = health.rate
        received = health.received
        dropped = health.faultCounts
        jitterMilliseconds = health.timing.jitter.map { $0 * 1000 }
        lost = health.timing.lost
        loss = health.timing.loss
        skewPPM = health.timing.skewPPM
        complaints = health.complaints.map { Complaint(name: $0.name, words: $0.words) }
        noiseDegrees = noise.map { $0 * degrees }
        biasDegreesPerSecond = inertial.map { inertial in
            let bias = inertial.bias.value * degrees
            return [bias.x, bias.y, bias.z]
        }
        atRest = inertial?.isAtRest
        driftDegreesPerMinute = inertial?.headingDrift
        headingDeviationDegrees = inertial.map { $0.headingDeviation * degrees }
    }
}
