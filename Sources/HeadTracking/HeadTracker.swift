import Geometry
import IMU

/// Where the head points on the stage, from a tracker on the head and, if there is one, a tracker on the device.
///
/// headToStage = recentring ∘ (deviceToWorld⁻¹ · headToWorld): when head and device turn together, nothing moves
/// (Foxlin & Altshuler, US 6,474,159). Without a device the head's own reference takes its place. Every jump (a stream
/// that returns, a recentring) is handed to `PoseForecast.correction` and fades on the audio thread, where no packet is
/// needed for it to go on. A pure value: time comes in with every call, seconds of the host's monotonic clock. Not
/// thread-safe: one owner, who publishes `forecast(at:)` after every sample and, for transitions in silence, about
/// twenty times a second. O(1) per call, below 1 µs.
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
    private var headStream: TrackedStream
    private var deviceStream: TrackedStream
    /// Stage from the reference (device or world): a turn about the vertical.
    private var centring = Quaternion.identity
    /// How the trackers sit: head to tracker on the head, device to tracker on the device.
    private var mounting = (head: Quaternion.identity, device: Quaternion.identity)
    private var current = PoseForecast.still(.identity)
    private var wentToFront = false
    private var pulledUntil: Double?
    /// A device's estimate has been part of the pose.
    private var usesDevice = false

    /// Looks to the front until a head is heard.
    package init(options: HeadTrackerOptions = HeadTrackerOptions()) {
        self.options = options
        headStream = TrackedStream(options)
        deviceStream = TrackedStream(options)
    }

    /// Takes a sample of the tracker on the head, as it arrives.
    package mutating func head(_ sample: OrientationSample) {
        let now = sample.arrival
        let before = current
        let event = headStream.take(sample)
        guard event == .began || headStream.isFresh(at: now) else { return }
        compose(now)
        pullYaw(now)
        if event == .began {
            wentToFront = false
            ease(from: before, at: now, over: options.returnDuration)
        } else {
            blend(from: before, at: now)
        }
    }

    /// Takes a sample of the tracker on the device or vehicle, as it arrives.
    package mutating func device(_ sample: OrientationSample) {
        let now = sample.arrival
        let before = current
        let event = deviceStream.take(sample)
        guard deviceStream.isFresh(at: now) else { return }
        if event == .began { usesDevice = true }
        // What the device did long after a slow head's last sample says nothing about that sample.
        guard headStream.isFresh(at: now), let newest = headStream.filter?.time,
            event == .began || sample.time - newest < 0.05
        else { return }
        compose(now)
        if event == .began {
            ease(from: before, at: now, over: options.returnDuration)
        } else {
            blend(from: before, at: now)
        }
    }

    /// The forecast to publish at a time; also makes the transitions that happen in silence.
    package mutating func forecast(at now: Double) -> PoseForecast {
        let before = current
        let headBegan = headStream.settle(at: now) == .began
        let deviceBegan = deviceStream.settle(at: now) == .began
        if deviceBegan { usesDevice = true }
        if headBegan || (deviceBegan && headStream.isFresh(at: now)) {
            if headBegan { wentToFront = false }
            compose(now)
            ease(from: before, at: now, over: options.returnDuration)
        }
        if let last = headStream.lastArrival, now - last > options.frontAfter, headStream.run > 20, !wentToFront {
            wentToFront = true
            current = .still(.identity)
            current.time = now
            ease(from: before, at: now, over: options.frontDuration)
        }
        return current
    }

    /// How much of the present pose becomes the new front.
    package enum Recentring: Hashable, Sendable, CaseIterable {
        /// Only the heading; the horizon stays level.
        case yaw
        /// For trackers fastened at an angle: head and device are taken to be level now, and what their trackers say
        /// against that is how they are fastened. Their heading on the head cannot be seen: x should point to the front.
        case full
        /// Back to the trackers' own zero.
        case reset
    }

    /// Makes where the head points now the front of the stage, eased. False, and nothing changes, if no head has been
    /// heard (or, except for `.yaw`, none is heard now).
    @discardableResult
    package mutating func recentre(_ kind: Recentring = .yaw, at now: Double) -> Bool {
        guard headStream.filter != nil, !wentToFront, kind == .yaw || headStream.isFresh(at: now) else { return false }
        let before = current
        switch kind {
        case .yaw: break
        case .full:
            mounting.head = headStream.filter.map { Self.tilt($0.pose).conjugate } ?? .identity
            mounting.device = deviceStream.filter.map { Self.tilt($0.pose).conjugate } ?? .identity
            compose(now)
        case .reset:
            centring = .identity
            mounting = (.identity, .identity)
            compose(now)
        }
        if kind != .reset {
            var plain = current
            plain.correctionDuration = 0
            let turn = Quaternion(yaw: -plain.headToStage(at: now).yaw, pitch: 0, roll: 0)
            centring = (turn * centring).normalized
            current.pose = Rotation(turn * current.pose.quaternion)
        }
        ease(from: before, at: now, over: options.recentreDuration)
        return true
    }

    /// What the tracker is doing, for the user.
    package func status(at now: Double) -> HeadTrackerStatus {
        let (head, device) = (headStream.isFresh(at: now), deviceStream.isFresh(at: now))
        let mode: HeadTrackerStatus.Mode =
            if headStream.filter == nil {
                .waiting
            } else if wentToFront {
                .front
            } else if !head {
                .held
            } else {
                device ? .relative : .headOnly
            }
        return HeadTrackerStatus(
            mode: mode, headIsFresh: head, deviceIsFresh: device,
            deviceIsHeld: usesDevice && !device,
            headNoise: headStream.filter?.noiseRadians, deviceNoise: deviceStream.filter?.noiseRadians,
            centringYaw: centring.yaw)
    }

    // MARK: -

    /// A pose without its heading.
    private static func tilt(_ pose: Quaternion) -> Quaternion {
        Quaternion(yaw: -pose.yaw, pitch: 0, roll: 0) * pose
    }

    /// The forecast from the newest estimates; a correction under way goes on.
    private mutating func compose(_ now: Double) {
        guard let head = headStream.filter else { return }
        let headRate = mounting.head.conjugate.rotate(head.rate)
        var (reference, referenceRate) = (Quaternion.identity, SIMD3<Double>(0, 0, 0))
        if usesDevice,
            let device = deviceStream.coasting(
                to: head.time, steady: options.deviceSteady, decay: options.deviceCoast)
        {
            reference = device.pose * mounting.device
            referenceRate = mounting.device.conjugate.rotate(device.rate)
        }
        let headToReference = reference.conjugate * head.pose * mounting.head
        current.pose = Rotation(centring * headToReference)
        // The device's own turn, seen in head axes, is no motion of the head on the stage.
        current.rate = headRate - headToReference.conjugate.rotate(referenceRate)
        current.time = head.time
        current.steady = options.steadyPrediction
        current.decay = options.headCoast
        // Ten time constants: what is left of the rate by then is nothing.
        current.horizon = options.steadyPrediction + 10 * options.headCoast
    }

    /// Makes what is heard continuous: the difference to what would have been heard fades from now on.
    private mutating func ease(from before: PoseForecast, at now: Double, over duration: Double) {
        let heard = now + options.playbackLead
        current.correctionDuration = 0
        let difference = before.headToStage(at: heard) * current.headToStage(at: heard).conjugate
        current.correction = difference.rotationVector
        current.correctionTime = heard
        current.correctionDuration = duration
    }

    /// Takes the edge off an ordinary sample: what it corrects fades in, unless a longer easing is under way.
    private mutating func blend(from before: PoseForecast, at now: Double) {
        let left = current.correctionTime + current.correctionDuration - (now + options.playbackLead)
        guard options.blending > 0, left <= options.blending else { return }
        ease(from: before, at: now, over: options.blending)
    }

    /// Moves the front slowly after the head, too slowly to be noticed.
    private mutating func pullYaw(_ now: Double) {
        defer { pulledUntil = now }
        guard options.yawPull > 0, usesDevice, deviceStream.isFresh(at: now), let last = pulledUntil else { return }
        let degree = Double.pi / 180
        let speed = (current.rate * current.rate).sum().squareRoot()
        let yaw = current.pose.quaternion.yaw
        guard speed < options.yawPullSpeed * degree, abs(yaw) < options.yawPullRange * degree else { return }
        let step = options.yawPull * degree * min(0.1, max(0, now - last))
        let turn = Quaternion(yaw: -max(-step, min(step, yaw)), pitch: 0, roll: 0)
        centring = (turn * centring).normalized
        current.pose = Rotation(turn * current.pose.quaternion)
    }
}
