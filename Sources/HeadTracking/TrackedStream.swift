import Geometry
import Glibc
import IMU

/// Stream of one tracker: its estimate, and whether the stream is fresh.
///
/// A stream that becomes silent keeps its last estimate, whose turn comes to rest (`coasting`). When fused orientations
/// return, a new filter settles first. Only then does it replace the estimate; an event reports this to the caller,
/// which eases the jump. The filter of a raw IMU continues across a silence: it keeps heading and bias, and its rate is
/// valid at once. If a tracker sends orientations and raw measurements, the latter are used, so that the errors of the
/// head's and the device's tracker are alike.
struct TrackedStream: Sendable {
    /// Effect of a sample on the estimate.
    enum Event {
        /// The estimate continued, or a new estimate is not ready yet.
        case none
        /// A new estimate is in use, or the estimate has jumped or continued after a silence. The heading can be
        /// compared with the previous one.
        case began
        /// As `began`, but the heading is unrelated to the previous one.
        case beganAnew
    }

    var options: HeadTrackerOptions
    private var spacing = SampleSpacing()
    private var newest: Double?
    /// The estimate in use.
    private(set) var estimate: TrackerEstimate?
    /// New estimate that settles before it is used.
    private var candidate: TrackerEstimate?
    private var candidateSince = 0.0
    /// Whether the candidate's heading is unrelated to that of the estimate in use.
    private var candidateIsAnew = false
    /// State of the settling estimate, or else of the estimate in use, before its newest sample. A later sample of the
    /// same bunch starts from this state.
    private var before: TrackerEstimate?
    private var firstArrival: Double?
    private(set) var lastArrival: Double?
    private var lastInertial = -Double.infinity
    /// Number of samples since the stream last began; large for a tracker that streams, small for single messages.
    private(set) var run = 0
    /// Whether the next sample begins an estimate with an unrelated heading: the tracker has reported a jump of its
    /// reference, or the estimate was dropped.
    private var hasJumped = false
    /// Detector of jumps that the tracker does not report.
    private var jumps = JumpDetector()
    /// Bias for a filter that starts without an earlier estimate of the bias.
    private var prior: GyroscopeBias?

    init(_ options: HeadTrackerOptions) { self.options = options }

    /// Seconds between samples; `nil` before the ninth sample.
    var period: Double? { spacing.period }

    /// Seconds of silence that make the stream stale.
    var timeout: Double { max(options.timeout, 3 * (spacing.period ?? 0)) }

    /// Whether a sample arrived within the timeout and the estimate in use follows the stream.
    func isFresh(at now: Double) -> Bool {
        guard let lastArrival, estimate != nil, candidate == nil else { return false }
        return now - lastArrival <= timeout
    }

    /// Returns the rate about the vertical, rad/s; nil unless the stream is fresh.
    func verticalRate(at now: Double) -> Double? { isFresh(at: now) ? estimate?.verticalRate : nil }

    /// Sets a stored bias for the first sample, or for a filter that has run for less than five seconds.
    ///
    /// The bias's deviation is raised to at least 0.3°/s: biases change with temperature, and the first rest must be
    /// able to correct a wrong stored bias.
    mutating func prime(_ bias: GyroscopeBias) {
        prior = Self.prior(bias)
        guard estimate?.isInertial == true, let firstArrival, let lastArrival, lastArrival - firstArrival < 5
        else { return }
        estimate = nil
        hasJumped = true
    }

    /// Returns a stored bias as the prior of a filter.
    private static func prior(_ bias: GyroscopeBias) -> GyroscopeBias {
        let least = SIMD3<Double>(repeating: 0.3 * .pi / 180)
        return GyroscopeBias(
            value: bias.value, deviation: bias.deviation.replacing(with: least, where: bias.deviation .< least))
    }

    /// Drops the estimate of a raw IMU, because the following samples are of another tracker. `bias`: that tracker's
    /// stored bias; nil if there is none. An estimate of fused orientations is kept: a new filter replaces it when the
    /// stream returns.
    mutating func replace(_ bias: GyroscopeBias?) {
        (prior, firstArrival) = (bias.map { Self.prior($0) }, nil)
        guard estimate?.isInertial == true else { return }
        (estimate, hasJumped) = (nil, true)
    }

    /// Drops the estimates, because the following samples are in other axes. `bias`: bias of the gyroscope in the new
    /// axes; nil if there is none.
    mutating func remount(_ bias: GyroscopeBias?) {
        (estimate, candidate, before, prior, hasJumped) = (nil, nil, nil, bias, true)
    }

    /// Clears a gap in the samples, after the user has recentred.
    mutating func acceptGap() { estimate?.acceptGap() }

    /// Records a jump of the reference that the tracker reported.
    mutating func jump() { hasJumped = true }

    /// Processes a measurement. `commonVerticalRate`: see `InertialFilter.take`.
    mutating func take(_ sample: TrackerSample, commonVerticalRate: Double?) -> Event {
        switch sample.motion {
        case .orientation(let bodyToWorld, let rate):
            if sample.arrival - lastInertial <= timeout { return .none }
            return take(
                OrientationSample(time: sample.time, bodyToWorld: bodyToWorld, rate: rate, arrival: sample.arrival))
        case .inertial(let measured):
            return take(measured, at: sample.time, arrival: sample.arrival, commonVerticalRate)
        case .recentre, .discontinuity: return .none
        }
    }

    private mutating func count(_ time: Double, _ now: Double) {
        firstArrival = firstArrival ?? now
        lastArrival = now
        run += 1
        spacing.take(newest.map { time - $0 }, steps: nil)
        newest = time
    }

    /// Corrects both estimates by the acceleration of a vehicle that carries this tracker and the device's tracker.
    mutating func ride(_ ride: inout CommonRide, device: inout TrackedStream) {
        guard estimate != nil, device.estimate != nil else { return }
        estimate!.ride(&ride, device: &device.estimate!)
    }

    // MARK: - Raw measurements

    private mutating func take(
        _ sample: InertialSample, at time: Double, arrival now: Double, _ commonVerticalRate: Double?
    ) -> Event {
        let silent = lastArrival.map { now - $0 > timeout } ?? true
        if silent { run = 0 }
        count(time, now)
        lastInertial = now
        var event = Event.none
        if estimate?.isInertial == true, !hasJumped {
            estimate?.take(sample, at: time, commonVerticalRate: commonVerticalRate)
            event = silent ? .began : .none
        } else {
            var fresh = TrackerEstimate(InertialFilter(options: options.fusion, prior: estimate?.bias ?? prior))
            fresh.take(sample, at: time, commonVerticalRate: commonVerticalRate)
            // An unusable sample does not start an estimate.
            guard fresh.time.isFinite else { return .none }
            estimate = fresh
            event = .beganAnew
        }
        (candidate, before, hasJumped, jumps) = (nil, nil, false, JumpDetector())
        return event
    }

    // MARK: - Fused orientations

    private mutating func take(_ sample: OrientationSample) -> Event {
        let now = sample.arrival
        let silent = lastArrival.map { now - $0 > timeout } ?? true
        var event = Event.none
        if silent {
            // A candidate from before the silence is used first, so that single messages are not lost.
            event = settle(at: now)
            run = 0
        }
        count(sample.time, now)
        if silent || hasJumped || (candidate ?? estimate)?.isInertial != false {
            candidate = TrackerEstimate(PoseFilter(sample, noise: estimate?.noiseRadians))
            candidateSince = now
            (before, jumps) = (nil, JumpDetector())
            candidateIsAnew = candidateIsAnew || hasJumped || estimate?.isInertial == true
            hasJumped = false
        } else if var listening = candidate ?? estimate {
            let hasJumped = follow(&listening, with: sample)
            if candidate != nil {
                candidate = listening
            } else {
                estimate = listening
                if hasJumped { event = .began }
            }
        }
        let settled = settle(at: now)
        return settled == .none ? event : settled
    }

    /// Passes the next sample to a filter, or moves the filter to the pose after a jump. Returns whether there was a
    /// jump.
    private mutating func follow(_ listening: inout TrackerEstimate, with sample: OrientationSample) -> Bool {
        let verdict = jumps.judge(
            sample, rate: listening.rate, noise: listening.noiseRadians ?? 0, period: spacing.period ?? 0)
        switch verdict {
        case .ordinary: advance(&listening, with: sample)
        case .heldBack: break
        case .turned(let earlier):
            advance(&listening, with: earlier)
            advance(&listening, with: sample)
        case .jumped(let earlier):
            listening.jump(to: earlier)
            before = nil
            advance(&listening, with: sample)
            return true
        }
        return false
    }

    /// Passes the next sample to a filter. Samples that were delayed on their way arrive at the same time although they
    /// were measured one after the other, so the differences between them do not show the rate. Of such a bunch the
    /// newest sample is used and replaces the earlier ones.
    private mutating func advance(_ listening: inout TrackerEstimate, with sample: OrientationSample) {
        let isBunched = sample.time - listening.time < max(0.001, 0.3 * (spacing.period ?? 0))
        if isBunched, let earlier = before { listening = earlier } else { before = listening }
        listening.take(sample)
    }

    /// Puts the candidate into use once it has run for `options.settling` or, with fewer than four samples, for
    /// `options.timeout`. Also puts a held sample into use that no sample has followed within the timeout.
    mutating func settle(at now: Double) -> Event {
        if candidate == nil, let since = jumps.heldSince, now - since >= options.timeout, let held = jumps.release() {
            // No sample followed the held one, so the tracker is at that pose.
            estimate?.jump(to: held)
            before = nil
            return .began
        }
        let listened = now - candidateSince
        guard let ready = candidate, listened >= (run < 4 ? options.timeout : options.settling) - 1e-9 else {
            return .none
        }
        estimate = ready
        candidate = nil
        defer { candidateIsAnew = false }
        return candidateIsAnew ? .beganAnew : .began
    }

    /// Time at which `settle` has an effect if no sample arrives, seconds; infinite if there is none.
    var nextSettling: Double {
        if candidate != nil { return candidateSince + (run < 4 ? options.timeout : options.settling) }
        return jumps.heldSince.map { $0 + options.timeout } ?? .infinity
    }

    /// Returns pose and rate at a time; nil without an estimate. The last estimate continues at its rate for `steady`
    /// seconds; then the rate decays with the time constant `decay`, seconds. Before the last sample the rate is
    /// applied backwards, for at most 0.05 s.
    func coasting(to time: Double, steady: Double, decay: Double) -> (pose: Quaternion, rate: SIMD3<Double>)? {
        guard let estimate else { return nil }
        let ahead = max(-0.05, time - estimate.time)
        let fading = ahead - steady
        let left = fading > 0 ? exp(-fading / decay) : 1
        let reach = fading > 0 ? steady + decay * (1 - left) : ahead
        let pose = estimate.pose * Quaternion(rotationVector: estimate.rate * reach)
        return (pose.normalized, estimate.rate * left)
    }
}
