import Geometry
import Glibc
import IMU

/// One tracker's stream: its filter, and whether it can be relied on now.
///
/// A stream that falls silent keeps its last estimate, which coasts. When it speaks again a fresh filter listens first;
/// only when it has settled does it take over, and the caller is told, so that the jump can be eased.
struct TrackedStream: Sendable {
    /// What became of a sample.
    enum Event {
        /// The estimate went on continuously, or is not yet to be used.
        case none
        /// A filter took over; the estimate jumped (or is there for the first time).
        case began
    }

    var options: HeadTrackerOptions
    private var spacing = SampleSpacing()
    private var newest: Double?
    /// The estimate in use.
    private(set) var filter: PoseFilter?
    /// Listens after a silence.
    private var candidate: PoseFilter?
    private var candidateSince = 0.0
    /// The listening filter before its newest sample: what a sample that came in the same moment takes the place from.
    private var before: PoseFilter?
    private(set) var lastArrival: Double?
    /// Samples since the stream last began; long streams are trackers, single messages are not.
    private(set) var run = 0

    init(_ options: HeadTrackerOptions) { self.options = options }

    /// Seconds of silence that make the stream stale.
    var timeout: Double { max(options.timeout, 3 * (spacing.period ?? 0)) }

    /// Whether a sample came lately and the estimate in use follows the stream.
    func isFresh(at now: Double) -> Bool {
        guard let lastArrival, filter != nil, candidate == nil else { return false }
        return now - lastArrival <= timeout
    }

    /// Takes a sample.
    mutating func take(_ sample: OrientationSample) -> Event {
        let now = sample.arrival
        let silent = lastArrival.map { now - $0 > timeout } ?? true
        var event = Event.none
        if silent {
            // What the last visit left behind is used before anything newer: single messages are not lost.
            event = settle(at: now)
            run = 0
        }
        lastArrival = now
        run += 1
        spacing.take(newest.map { sample.time - $0 }, steps: nil)
        newest = sample.time
        if silent {
            candidate = PoseFilter(sample, noise: filter?.noiseRadians)
            candidateSince = now
            before = nil
        } else if var listening = candidate ?? filter {
            advance(&listening, with: sample)
            if candidate != nil { candidate = listening } else { filter = listening }
        }
        return settle(at: now) == .began ? .began : event
    }

    /// Gives a filter its next sample. Samples held up on their way arrive in one moment though they were taken one after
    /// the other: the differences between them say nothing about the rate. Of such a bunch only the last, the newest,
    /// counts; it takes the place of those before it.
    private mutating func advance(_ listening: inout PoseFilter, with sample: OrientationSample) {
        let isBunched = sample.time - listening.time < max(0.001, 0.3 * (spacing.period ?? 0))
        if isBunched, let earlier = before { listening = earlier } else { before = listening }
        listening.take(sample)
    }

    /// Lets a filter that has listened long enough take over: to four samples, or where so many do not come, for the
    /// timeout.
    mutating func settle(at now: Double) -> Event {
        let listened = now - candidateSince
        guard let ready = candidate, listened >= (run < 4 ? options.timeout : options.settling) - 1e-9 else {
            return .none
        }
        filter = ready
        candidate = nil
        return .began
    }

    /// Pose and rate at a time: the last estimate turned on at its rate, which holds for a moment and then dies away with
    /// a time constant. Behind the last sample the rate runs backwards, a twentieth of a second at most.
    func coasting(to time: Double, steady: Double, decay: Double) -> (pose: Quaternion, rate: SIMD3<Double>)? {
        guard let filter else { return nil }
        let ahead = max(-0.05, time - filter.time)
        let fading = ahead - steady
        let left = fading > 0 ? exp(-fading / decay) : 1
        let reach = fading > 0 ? steady + decay * (1 - left) : ahead
        let pose = filter.pose * Quaternion(rotationVector: filter.rate * reach)
        return (pose.normalized, filter.rate * left)
    }
}
