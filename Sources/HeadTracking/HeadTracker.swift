import Geometry
import IMU

/// Orientation of the head relative to the sound stage, from a tracker on the head and optionally one on the device or
/// vehicle.
///
/// headToStage = centring ∘ (deviceToWorld⁻¹ · headToWorld): when head and device turn together, the stage does not
/// move (Foxlin & Altshuler, US 6,474,159). Without a device, the head's own reference is used. Every jump (a stream
/// that returns, a recentring, another reference) is put into `PoseForecast.correction`, which fades on the audio
/// thread even if no further sample arrives.
///
/// A pure value: the time is a parameter of every call, seconds of the host's monotonic clock. Not thread-safe: the
/// tracker has one owner. The owner publishes `forecast(at:)` after every sample, and also at the time of the next
/// transition during silence. O(1) per call without allocation: below 4 µs a sample.
///
/// At rest only the yaw pull turns the stage. Only the options change the reference, never the motion of head and
/// device.
package struct HeadTracker: Sendable {
    /// Options; they may change at any time. `playbackLead` follows the driver's latency.
    package var options: HeadTrackerOptions {
        didSet {
            headStream.options = options
            deviceStream.options = options
        }
    }
    var headStream: TrackedStream
    var deviceStream: TrackedStream
    /// Rotation from the reference (device or world) to the stage, about the vertical.
    var centring = Quaternion.identity
    /// Mountings of the trackers: rotations from the head to its tracker, and from the device to its tracker.
    var mounting = (head: Quaternion.identity, device: Quaternion.identity)
    var current = PoseForecast.still(.identity)
    /// The present reference. `trackedReference`: the last reference that was not `still`.
    var reference: HeadTrackerOptions.Reference
    var trackedReference: HeadTrackerOptions.Reference
    var wentToFront = false
    /// Whether an estimate with an unrelated heading began while no pose was composed. The next composition then keeps
    /// the yaw.
    var isUntied = false
    var pull = YawPull()
    /// Variances of both headings at the last recentring, rad².
    var centringVariances = SIMD2<Double>(0, 0)
    /// Predictors of the head's rotation relative to its reference, from a raw IMU and from fused orientations.
    var predictors = (raw: RatePredictor(prior: .raw), fused: RatePredictor(prior: .fused))
    /// Age at which samples are used, and the scale of the forecast for this age.
    var reach = ForecastReach()
    private var commonTurn = CommonTurn()
    /// Latency of one tracker relative to the other's. It is only shown in the status.
    private(set) var lateness = RelativeLateness()
    /// Rotation of the two trackers' worlds relative to each other, measured while a vehicle accelerates.
    var commonRide = CommonRide()
    /// Whether an estimate of the head has existed; `usesDevice`: whether one of the device has.
    private var usesHead = false
    var usesDevice = false

    /// Starts with the stage at the front, where it remains until the head's first estimate.
    package init(options: HeadTrackerOptions = HeadTrackerOptions()) {
        self.options = options
        headStream = TrackedStream(options)
        deviceStream = TrackedStream(options)
        reference = options.choices.reference
        trackedReference = options.choices.reference == .still ? .device : options.choices.reference
        current.follow = options.choices.follow
    }

    /// Processes a sample of the tracker on the head. Call it when the sample arrives.
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

    /// Processes a sample of the tracker on the device or vehicle. Call it when the sample arrives.
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
        // A motion of the device long after the last sample of a slow head stream must not be combined with that
        // sample.
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

    /// Returns the forecast to publish at a time. Also performs the transitions that are due during silence.
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

    /// Time from which `forecast(at:)` performs a transition if no sample arrives, seconds; infinite if there is none.
    package var nextTransition: Double {
        var next = min(headStream.nextSettling, deviceStream.nextSettling)
        if reference != .still, let last = headStream.lastArrival, headStream.run > 20, !wentToFront {
            next = min(next, last + options.frontAfter)
        }
        return next
    }

    /// Sets a stored bias of the head's gyroscope, before its first sample or within its first five seconds. The filter
    /// corrects a wrong bias; it does so sooner if the stated deviation is larger.
    package mutating func prime(head bias: GyroscopeBias) { headStream.prime(bias) }

    /// Sets a stored bias of the device's gyroscope, as `prime(head:)`.
    package mutating func prime(device bias: GyroscopeBias) { deviceStream.prime(bias) }

    /// Continues with another tracker on the head. If the former tracker was a raw IMU, the estimate restarts with
    /// `bias`, the stored bias of the new tracker (nil if there is none), and the yaw is kept.
    package mutating func replace(head bias: GyroscopeBias?) { headStream.replace(bias) }

    /// Continues with another tracker on the device, as `replace(head:)`.
    package mutating func replace(device bias: GyroscopeBias?) { deviceStream.replace(bias) }

    /// Applies a new mounting of the head's tracker. The estimate restarts with `bias`; nil if none is known.
    package mutating func remount(head bias: GyroscopeBias?) { headStream.remount(bias) }

    /// Applies a new mounting of the device's tracker, as `remount(head:)`.
    package mutating func remount(device bias: GyroscopeBias?) { deviceStream.remount(bias) }

    /// Estimates of the gyroscopes' biases, for storage; `nil` without the estimate of a raw IMU.
    package var biases: (head: GyroscopeBias?, device: GyroscopeBias?) {
        (headStream.estimate?.bias, deviceStream.estimate?.bias)
    }

    // MARK: -

    /// Processes a sample that is an event rather than a measurement. Returns whether it was an event.
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

    /// Returns the rate of the slow turn that both trackers measure, rad/s. Nil if there is no such turn, if one stream
    /// is stale, or if the head is not tracked relative to the device.
    private func commonRate(at now: Double) -> Double? {
        guard reference == .device, headStream.isFresh(at: now), deviceStream.isFresh(at: now) else { return nil }
        return commonTurn.rate
    }

    /// Corrects the drift that a vehicle's acceleration shows. Call it after each sample of the head. An unrelated
    /// heading (`beganAnew`) restarts this measurement.
    private mutating func followAcceleration(_ event: TrackedStream.Event, at now: Double) {
        if event == .beganAnew { commonRide = CommonRide() }
        guard reference == .device, headStream.isFresh(at: now), deviceStream.isFresh(at: now), !sharesHeading
        else { return }
        headStream.ride(&commonRide, device: &deviceStream)
        if let variance = commonRide.variance { pull.hold(to: variance) }
    }

    /// Whether the biases of both gyroscopes are known to 0.1°/s. Trackers that send orientations count as known.
    private var areBiasesKnown: Bool {
        (headStream.estimate?.headingDrift ?? 0) < 6 && (deviceStream.estimate?.headingDrift ?? 0) < 6
    }

    /// Whether a new estimate has a heading unrelated to the previous one.
    private func headsAreUnrelated(_ event: TrackedStream.Event, isFirst: Bool) -> Bool {
        event == .beganAnew || (event == .began && isFirst && !sharesHeading)
    }

    /// Whether the headings of the trackers in use are comparable with each other and with the stage.
    var sharesHeading: Bool {
        (headStream.estimate?.hasSharedHeading ?? true)
            && (!usesDevice || deviceStream.estimate?.hasSharedHeading ?? true)
    }

    /// Eases in the pose of a new estimate. If its heading is unrelated to the previous one, the heard yaw is kept.
    private mutating func began(
        _ event: TrackedStream.Event, isFirst: Bool, from before: PoseForecast, at now: Double
    ) {
        // A raw IMU may have turned unnoticed during a long silence, so the sound in front stays in front.
        let isLost = wentToFront && !sharesHeading
        if isUntied || isLost || headsAreUnrelated(event, isFirst: isFirst) { tie(to: before, at: now) }
        isUntied = false
        ease(from: before, at: now, over: options.returnDuration)
    }
}
