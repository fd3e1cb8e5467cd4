import Geometry
import IMU

/// Orientation of the head on the stage, from a tracker on the head and optionally a tracker on the device.
///
/// headToStage = centring ∘ (deviceToWorld⁻¹ · headToWorld): when head and device turn together, nothing moves (Foxlin
/// & Altshuler, US 6,474,159). Without a device the head's own reference takes its place. Every jump (a stream that
/// returns, a recentring, another reference) is handed to `PoseForecast.correction` and fades on the audio thread,
/// without further packets. A pure value: the time is a parameter of every call, seconds of the host's monotonic clock.
/// Not thread-safe: one owner, which publishes `forecast(at:)` after every sample and, for transitions in silence,
/// about twenty times a second. O(1) per call without allocation: below 4 µs a sample.
///
/// Trackers at rest never recentre the stage, and similar motion of head and device never changes the reference.
package struct HeadTracker: Sendable {
    /// Options; may change at any time, `playbackLead` with the driver's latency.
    package var options: HeadTrackerOptions {
        didSet {
            headStream.options = options
            deviceStream.options = options
        }
    }
    var headStream: TrackedStream
    var deviceStream: TrackedStream
    /// Rotation from the reference (device or world) to the stage: a turn about the vertical.
    var centring = Quaternion.identity
    /// Mountings of the trackers: head to tracker on the head, device to tracker on the device.
    var mounting = (head: Quaternion.identity, device: Quaternion.identity)
    var current = PoseForecast.still(.identity)
    /// The reference in force, and the last one that was not `still`.
    var reference: HeadTrackerOptions.Reference
    var trackedReference: HeadTrackerOptions.Reference
    var wentToFront = false
    /// An unrelated heading began while no pose was composed: the yaw must not jump at the next composition.
    var isUntied = false
    var pull = YawPull()
    /// Variances of both headings at the last recentring, rad².
    var centringVariances = SIMD2<Double>(0, 0)
    /// Predictors of the head's turn against its reference, from a raw IMU and from fused orientations.
    var predictors = (raw: RatePredictor(prior: .raw), fused: RatePredictor(prior: .fused))
    /// Age at which samples are read, and the scale of the forecast for it.
    var reach = ForecastReach()
    private var commonTurn = CommonTurn()
    /// Delay of one tracker's samples after the other's, which is stated only.
    private(set) var lateness = RelativeLateness()
    /// Turn of both trackers' worlds against each other, where a vehicle's acceleration shows it.
    var commonRide = CommonRide()
    /// Whether an estimate of the head has arrived; `usesDevice`: the same for the device.
    private var usesHead = false
    var usesDevice = false

    /// Starts at the front, which holds until the head's first sample.
    package init(options: HeadTrackerOptions = HeadTrackerOptions()) {
        self.options = options
        headStream = TrackedStream(options)
        deviceStream = TrackedStream(options)
        reference = options.reference
        trackedReference = options.reference == .still ? .device : options.reference
        current.follow = options.follow
    }

    /// Takes a sample of the tracker on the head, as it arrives.
    package mutating func head(_ sample: TrackerSample) {
        let now = sample.arrival
        adopt(now)
        if hears(sample, on: \.headStream, at: now) { return }
        let before = current
        let event = headStream.take(sample, commonVerticalRate: commonRate(at: now))
        revisePull(with: headStream, other: deviceStream, sign: 1)
        if let estimate = headStream.estimate {
            commonTurn.takeHead(estimate.verticalRate, at: now, isKnown: areBiasesKnown)
            lateness.takeHead(sample, pose: estimate.pose)
        }
        followAcceleration(event, at: now)
        guard event != .none || headStream.isFresh(at: now) else { return }
        guard reference != .still else {
            isUntied = isUntied || headsAreUnrelated(event, isFirst: !usesHead)
            usesHead = true
            return
        }
        if event != .none { interruptMotion() }
        compose(now)
        if event == .none {
            pullYaw(now)
            blend(from: before, at: now)
        } else {
            began(event, isFirst: !usesHead, from: before, at: now)
            usesHead = true
            wentToFront = false
        }
    }

    /// Takes a sample of the tracker on the device or vehicle as it arrives.
    package mutating func device(_ sample: TrackerSample) {
        let now = sample.arrival
        adopt(now)
        if hears(sample, on: \.deviceStream, at: now) { return }
        let before = current
        let event = deviceStream.take(sample, commonVerticalRate: commonRate(at: now))
        if reference == .device { revisePull(with: deviceStream, other: headStream, sign: -1) }
        if let estimate = deviceStream.estimate {
            commonTurn.takeDevice(estimate.verticalRate, at: now, isKnown: areBiasesKnown)
            lateness.takeDevice(sample, pose: estimate.pose)
        }
        if event == .beganAnew { commonRide = CommonRide() }
        guard deviceStream.isFresh(at: now) else { return }
        let isFirst = event != .none && !usesDevice
        if event != .none { usesDevice = true }
        guard reference == .device else {
            if reference == .still { isUntied = isUntied || headsAreUnrelated(event, isFirst: isFirst) }
            return
        }
        // A device's motion long after a slow head's last sample is unrelated to that sample.
        guard headStream.isFresh(at: now), let newest = headStream.estimate?.time,
            event != .none || sample.time - newest < 0.05
        else {
            isUntied = isUntied || headsAreUnrelated(event, isFirst: isFirst)
            return
        }
        if event != .none { interruptMotion() }
        compose(now)
        if event == .none {
            blend(from: before, at: now)
        } else {
            began(event, isFirst: isFirst, from: before, at: now)
        }
    }

    /// Returns the forecast to publish at a time; also makes the transitions due in silence.
    package mutating func forecast(at now: Double) -> PoseForecast {
        adopt(now)
        let before = current
        let headEvent = headStream.settle(at: now)
        let deviceEvent = deviceStream.settle(at: now)
        let isFirstDevice = deviceEvent != .none && !usesDevice
        if deviceEvent != .none { usesDevice = true }
        if reference != .still {
            if headEvent != .none {
                interruptMotion()
                compose(now)
                began(headEvent, isFirst: !usesHead, from: before, at: now)
                usesHead = true
                wentToFront = false
            } else if deviceEvent != .none, reference == .device, headStream.isFresh(at: now) {
                interruptMotion()
                compose(now)
                began(deviceEvent, isFirst: isFirstDevice, from: before, at: now)
            }
            if let last = headStream.lastArrival, now - last > options.frontAfter, headStream.run > 20, !wentToFront {
                wentToFront = true
                goToFront(now)
                ease(from: before, at: now, over: options.frontDuration)
            }
        }
        return current
    }

    /// Time from which `forecast(at:)` makes a transition if no sample comes, seconds; infinite without one.
    package var nextTransition: Double {
        var next = min(headStream.nextSettling, deviceStream.nextSettling)
        if reference != .still, let last = headStream.lastArrival, headStream.run > 20, !wentToFront {
            next = min(next, last + options.frontAfter)
        }
        return next
    }

    /// Sets a remembered bias of the head's gyroscope, before its first sample or within its first five seconds. The
    /// filter corrects a wrong one, the sooner the larger the bias's stated deviation.
    package mutating func prime(head bias: GyroscopeBias) { headStream.prime(bias) }

    /// Sets a remembered bias of the device's gyroscope, as `prime(head:)`.
    package mutating func prime(device bias: GyroscopeBias) { deviceStream.prime(bias) }

    /// Applies a new mounting of the head's tracker: its estimate begins anew, with this bias; nil without one.
    package mutating func remount(head bias: GyroscopeBias?) { headStream.remount(bias) }

    /// Applies a new mounting of the device's tracker, as `remount(head:)`.
    package mutating func remount(device bias: GyroscopeBias?) { deviceStream.remount(bias) }

    /// Estimates of the gyroscopes' biases, to be remembered; `nil` for trackers that send orientations.
    package var biases: (head: GyroscopeBias?, device: GyroscopeBias?) {
        (headStream.estimate?.bias, deviceStream.estimate?.bias)
    }

    // MARK: -

    /// Carries out a sample that is an event rather than a measurement. Returns whether it was one.
    private mutating func hears(
        _ sample: TrackerSample, on stream: WritableKeyPath<HeadTracker, TrackedStream>, at now: Double
    ) -> Bool {
        switch sample.motion {
        case .orientation, .inertial: return false
        case .recentre(let full): recentre(full ? .full : .yaw, at: now)
        case .discontinuity: self[keyPath: stream].jump()
        }
        return true
    }

    /// Returns the slow turn that both trackers show, while the head is tracked against the device, rad/s.
    private func commonRate(at now: Double) -> Double? {
        guard reference == .device, headStream.isFresh(at: now), deviceStream.isFresh(at: now) else { return nil }
        return commonTurn.rate
    }

    /// Follows the drift that a vehicle's acceleration shows; to be called after each sample of the head. An unrelated
    /// heading (`beganAnew`) restarts this.
    private mutating func followAcceleration(_ event: TrackedStream.Event, at now: Double) {
        if event == .beganAnew { commonRide = CommonRide() }
        guard reference == .device, headStream.isFresh(at: now), deviceStream.isFresh(at: now), !sharesHeading
        else { return }
        headStream.ride(&commonRide, device: &deviceStream)
        if let variance = commonRide.variance { pull.hold(to: variance) }
    }

    /// Whether both gyroscopes' biases are known to 0.1°/s; fused orientations have none.
    private var areBiasesKnown: Bool {
        (headStream.estimate?.headingDrift ?? 0) < 6 && (deviceStream.estimate?.headingDrift ?? 0) < 6
    }

    /// Whether an estimate that took over has a heading unrelated to the previous one.
    private func headsAreUnrelated(_ event: TrackedStream.Event, isFirst: Bool) -> Bool {
        event == .beganAnew || (event == .began && isFirst && !sharesHeading)
    }

    /// Whether the headings of the trackers in use are comparable with each other and with the stage.
    var sharesHeading: Bool {
        (headStream.estimate?.hasSharedHeading ?? true)
            && (!usesDevice || deviceStream.estimate?.hasSharedHeading ?? true)
    }

    /// Eases in the pose of an estimate that took over; where its heading is arbitrary the yaw stays.
    private mutating func began(
        _ event: TrackedStream.Event, isFirst: Bool, from before: PoseForecast, at now: Double
    ) {
        // A raw IMU may have turned during a long silence: the sound in front stays in front.
        let isLost = wentToFront && !sharesHeading
        if isUntied || isLost || headsAreUnrelated(event, isFirst: isFirst) { tie(to: before, at: now) }
        isUntied = false
        ease(from: before, at: now, over: options.returnDuration)
    }
}
