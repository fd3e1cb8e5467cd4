import HeadTracking
import IMU

/// Report on one tracker, for people, programs and control surfaces.
package struct TrackerReport: Codable, Sendable {
    /// Specification of the tracker as on the command line, for example `osc:9000`.
    package var tracker: String
    /// Name under which its mounting and bias are stored.
    package var id: String
    /// Message format of the tracker; nil before it was recognised.
    package var format: String?
    /// `open`, `closed`, or `lost` with the reason.
    package var connection: String
    /// Whether its samples are recent and the estimate in use follows them.
    package var fresh: Bool
    /// Seconds since the last sample; nil before the first.
    package var ageSeconds: Double?
    /// Samples per second over about the last second.
    package var rateHertz: Double
    /// Samples received.
    package var received: Int
    /// Count of messages that were not used, by cause.
    package var dropped: [String: Int]
    /// Delay of the samples beyond the least delayed one, milliseconds RMS; nil before the 64th sample.
    package var jitterMilliseconds: Double?
    /// Count of messages that were sent but not received; nil if the sender does not number its messages alone.
    package var lost: Int?
    /// Share of lost messages among about the last thousand, 0…1; nil if `lost` is nil.
    package var loss: Double?
    /// Difference of the clocks, parts per million, positive if the sender's second is longer than the host's; nil
    /// without trusted time stamps and in the first four seconds.
    package var skewPPM: Double?
    /// Noise of the orientations that the tracker sends, degrees RMS per axis; nil for a raw IMU, and without an
    /// estimate.
    package var noiseDegrees: Double?
    /// Estimated gyroscope bias of a raw IMU, degrees per second about x, y, z. This property and the three below are
    /// nil if the tracker sends orientations, and without an estimate.
    package var biasDegreesPerSecond: [Double]?
    /// Whether a raw IMU is judged to be at rest.
    package var atRest: Bool?
    /// Heading drift of a raw IMU, degrees per minute (one standard deviation).
    package var driftDegreesPerMinute: Double?
    /// Uncertainty of a raw IMU's heading, degrees (one standard deviation).
    package var headingDeviationDegrees: Double?

    /// Faults that can be remedied; empty without known faults.
    package var complaints: [Complaint]

    /// A fault in what a tracker sends.
    package struct Complaint: Codable, Sendable {
        /// One word: `gap`, `late`, `clipping`, `secondSender`, or the fault of its time stamps (`unit`, `jitter`,
        /// `quantised`, `constant`, `backwards`, `interleaved`, `rate`).
        package var name: String
        /// The fault, how it is handled and its remedy; one line.
        package var words: String
    }

    /// Count of all messages that were not used.
    package var droppedTotal: Int { dropped.values.reduce(0, +) }

    /// Creates a report on the tracker of the head or the device, from its inlet and the status of head tracking.
    /// `now`: seconds of the host's monotonic clock.
    package init(_ inlet: TrackerInlet, on body: TrackedBody, _ status: HeadTrackerStatus, at now: Double) {
        let (fresh, noise, inertial) =
            body == .head
            ? (status.headIsFresh, status.headNoise, status.headInertial)
            : (status.deviceIsFresh, status.deviceNoise, status.deviceInertial)
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
        if let late = status.lateness.flatMap({ Complaint($0, on: body, stated: inlet.specification.latency) }) {
            complaints.insert(late, at: 0)
        }
        if let gap = inertial?.gap, let lost = Complaint(gap) { complaints.insert(lost, at: 0) }
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

extension TrackerReport.Complaint {
    /// Least uncertainty that a gap must add to the heading to be reported, radians.
    private static let leastTurn = 2 * Double.pi / 180

    /// Complaint about samples that are later than the other tracker's; nil unless this tracker is the later one.
    ///
    /// - Parameter stated: the delay that the tracker's `latency=` states, seconds.
    init?(_ lateness: HeadTrackerStatus.Lateness, on body: TrackedBody, stated: Double) {
        let late = body == .head ? lateness.seconds : -lateness.seconds
        guard late > 0 else { return nil }
        func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }
        let sure = max(1, milliseconds(lateness.deviation))
        self.init(
            name: "late",
            words: "its samples are \(milliseconds(late)) ms (±\(sure)) later than the "
                + "\(body == .head ? "device's" : "head's"), as their common turns show: set "
                + "latency=\(milliseconds(stated + late))")
    }

    /// Complaint about a gap in which the tracker may have turned; nil if the gap adds less than 2° to the heading's
    /// uncertainty.
    init?(_ gap: InertialFilter.Gap) {
        guard gap.deviation >= Self.leastTurn else { return nil }
        let seconds = (gap.seconds * 10).rounded() / 10
        let degrees = Int((gap.deviation * 180 / .pi).rounded())
        self.init(
            name: "gap",
            words: "no samples for \(seconds) s while it turned: its heading may be wrong by \(degrees)° (one standard "
                + "deviation); recentre")
    }
}

/// The body to which a tracker is attached.
package enum TrackedBody: String, Sendable, CaseIterable {
    /// The listener's head.
    case head
    /// The device or vehicle.
    case device
}
