import Geometry
import IMU

/// Where the head points on the stage, from a tracker on the head and, if there is one, a tracker on the device.
///
/// headToStage = centring ∘ (deviceToWorld⁻¹ · headToWorld): when head and device turn together, nothing moves (Foxlin
/// & Altshuler, US 6,474,159). Without a device the head's own reference takes its place. Every jump (a stream that
/// returns, a recentring, another reference) is handed to `PoseForecast.correction` and fades on the audio thread,
/// where no packet is needed for it to go on. A pure value: time comes in with every call, seconds of the host's
/// monotonic clock. Not thread-safe: one owner, which publishes `forecast(at:)` after every sample and, for transitions
/// in silence, about twenty times a second. O(1) per call without allocation: below 4 µs a sample.
///
/// The stage is never recentred because both trackers are still, and modes never change because motions correlate.
package struct HeadTracker: Sendable {
    /// How it behaves; may be changed at any time, `playbackLead` whenever the driver's latency does.
    package var options: HeadTrackerOptions {
        didSet {
            headStream.options = options
            deviceStream.options = options
        }
    }
    var headStream: TrackedStream
    var deviceStream: TrackedStream
    /// Stage from the reference (device or world): a turn about the vertical.
    var centring = Quaternion.identity
    /// How the trackers sit: head to tracker on the head, device to tracker on the device.
    var mounting = (head: Quaternion.identity, device: Quaternion.identity)
    var current = PoseForecast.still(.identity)
    /// The reference in force, and the last one that was not `still`.
    var reference: HeadTrackerOptions.Reference
    var trackedReference: HeadTrackerOptions.Reference
    var wentToFront = false
    /// Another heading began while no pose was composed: when one is again, its yaw must not jump.
    var isUntied = false
    var pull = YawPull()
    /// Variances of both headings at the last recentring, rad².
    var centringVariances = SIMD2<Double>(0, 0)
    /// How the head's turn against its reference goes on, as a raw IMU and as fused orientations show it.
    var predictors = (raw: RatePredictor(prior: .raw), fused: RatePredictor(prior: .fused))
    private var commonTurn = CommonTurn()
    /// By how much both trackers' worlds have turned against each other, where a vehicle's acceleration shows it.
    var commonRide = CommonRide()
    /// An estimate of the head, of the device, has been part of the pose.
    private var usesHead = false
    var usesDevice = false

    /// Looks to the front until a head is heard.
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

    /// Takes a sample of the tracker on the device or vehicle, as it arrives.
    package mutating func device(_ sample: TrackerSample) {
        let now = sample.arrival
        adopt(now)
        if hears(sample, on: \.deviceStream, at: now) { return }
        let before = current
        let event = deviceStream.take(sample, commonVerticalRate: commonRate(at: now))
        if reference == .device { revisePull(with: deviceStream, other: headStream, sign: -1) }
        if let estimate = deviceStream.estimate {
            commonTurn.takeDevice(estimate.verticalRate, at: now, isKnown: areBiasesKnown)
        }
        if event == .beganAnew { commonRide = CommonRide() }
        guard deviceStream.isFresh(at: now) else { return }
        let isFirst = event != .none && !usesDevice
        if event != .none { usesDevice = true }
        guard reference == .device else {
            if reference == .still { isUntied = isUntied || headsAreUnrelated(event, isFirst: isFirst) }
            return
        }
        // What the device did long after a slow head's last sample says nothing about that sample.
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

    /// The forecast to publish at a time; also makes the transitions that happen in silence.
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

    /// A remembered bias of the head's gyroscope, before it is heard or within its first five seconds. Where it is
    /// wrong the filter finds out; its deviation says how much it is trusted.
    package mutating func prime(head bias: GyroscopeBias) { headStream.prime(bias) }

    /// As `prime(head:)`, of the device's gyroscope.
    package mutating func prime(device bias: GyroscopeBias) { deviceStream.prime(bias) }

    /// The head's tracker sits otherwise from now on: what was estimated of it begins anew, with this bias where one is
    /// known.
    package mutating func remount(head bias: GyroscopeBias?) { headStream.remount(bias) }

    /// As `remount(head:)`, of the device's tracker.
    package mutating func remount(device bias: GyroscopeBias?) { deviceStream.remount(bias) }

    /// What has been learnt of the gyroscopes' biases, to be remembered; `nil` for trackers that send orientations.
    package var biases: (head: GyroscopeBias?, device: GyroscopeBias?) {
        (headStream.estimate?.bias, deviceStream.estimate?.bias)
    }

    // MARK: -

    /// Whether a sample is an event rather than a measurement; it is obeyed.
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

    /// The slow turn that both trackers show, while the head is tracked against the device.
    private func commonRate(at now: Double) -> Double? {
        guard reference == .device, headStream.isFresh(at: now), deviceStream.isFresh(at: now) else { return nil }
        return commonTurn.rate
    }

    /// Follows the drift that a vehicle's acceleration shows, once a sample of the head; another heading begins anew.
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

    /// Whether an estimate that took over has another heading than there was.
    private func headsAreUnrelated(_ event: TrackedStream.Event, isFirst: Bool) -> Bool {
        event == .beganAnew || (event == .began && isFirst && !sharesHeading)
    }

    /// Whether the headings of the trackers in use mean something to each other and to the stage.
    var sharesHeading: Bool {
        (headStream.estimate?.hasSharedHeading ?? true)
            && (!usesDevice || deviceStream.estimate?.hasSharedHeading ?? true)
    }

    /// An estimate took over: its pose is eased in, and where its heading is arbitrary the yaw stays.
    private mutating func began(
        _ event: TrackedStream.Event, isFirst: Bool, from before: PoseForecast, at now: Double
    ) {
        // A raw IMU whose head was long away may have turned meanwhile: what is heard in front stays there.
        let isLost = wentToFront && !sharesHeading
        if isUntied || isLost || headsAreUnrelated(event, isFirst: isFirst) { tie(to: before, at: now) }
        isUntied = false
        ease(from: before, at: now, over: options.returnDuration)
    }
}
