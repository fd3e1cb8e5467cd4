import Geometry
import IMU

extension HeadTracker {
    /// Applies changes of the choices `reference` and `follow`. The change is eased; the sound in front stays in front.
    mutating func adopt(_ now: Double) {
        let choices = options.choices
        guard choices.reference != reference || choices.follow != current.follow else { return }
        let before = current
        current.follow = choices.follow
        if choices.reference != reference { refer(to: choices.reference, at: now, before) }
        ease(from: before, at: now, over: options.choiceDuration)
    }

    private mutating func refer(to chosen: HeadTrackerOptions.Reference, at now: Double, _ before: PoseForecast) {
        reference = chosen
        pull = YawPull()
        interruptMotion()
        guard chosen != .still else { return goToFront(now) }
        // The front is kept: the sound stage is turned back by the difference in yaw between the two references.
        if chosen != trackedReference, let old = headToReference(trackedReference), let new = headToReference(chosen) {
            let turn = (centring * old.pose * new.pose.conjugate * centring.conjugate).twist
            centring = (turn * centring).normalized
        }
        trackedReference = chosen
        guard headStream.isFresh(at: now) else { return }
        compose(now)
        if isUntied { tie(to: before, at: now) }
        isUntied = false
        wentToFront = false
    }

    /// Kind of a recentring.
    package enum Recentring: String, Hashable, Sendable, CaseIterable {
        /// Makes the present heading the front; the horizon stays level.
        case yaw
        /// For trackers that are worn at an angle. Head and device are assumed to be level now, and the tilt of each
        /// tracker becomes its mounting. The heading of a tracker on the head cannot be measured in this way, so the
        /// tracker's x axis should point to the front.
        case full
        /// Returns to the trackers' own zero.
        case reset
    }

    /// Makes the head's present direction the front of the stage, with easing. Returns false and changes nothing if the
    /// head has no estimate (for kinds other than `.yaw`: no fresh one), if the stage has gone to the front, or if
    /// tracking is switched off.
    @discardableResult
    package mutating func recentre(_ kind: Recentring = .yaw, at now: Double) -> Bool {
        adopt(now)
        guard headStream.estimate != nil, !wentToFront, reference != .still,
            kind == .yaw || headStream.isFresh(at: now)
        else { return false }
        let before = current
        switch kind {
        case .yaw: break
        case .full:
            mounting.head = headStream.estimate.map { Self.tilt($0.pose).conjugate } ?? .identity
            mounting.device = deviceStream.estimate.map { Self.tilt($0.pose).conjugate } ?? .identity
            interruptMotion()
            compose(now)
        case .reset:
            centring = .identity
            mounting = (.identity, .identity)
            interruptMotion()
            compose(now)
        }
        if kind != .reset {
            let turn = Quaternion(yaw: -current.plainYaw(at: now), pitch: 0, roll: 0)
            centring = (turn * centring).normalized
            current.pose = Rotation(turn * current.pose.quaternion)
        }
        centringVariances = headingVariances
        if kind != .reset {
            pull.recentred()
            headStream.acceptGap()
            deviceStream.acceptGap()
        }
        ease(from: before, at: now, over: options.recentreDuration)
        return true
    }

    /// Returns a pose without its heading.
    private static func tilt(_ pose: Quaternion) -> Quaternion {
        Quaternion(yaw: -pose.yaw, pitch: 0, roll: 0) * pose
    }

    /// Variances of both headings, rad². The device's is 0 unless the device is the reference.
    private var headingVariances: SIMD2<Double> {
        let counts = usesDevice && reference == .device
        return SIMD2(
            headStream.estimate?.headingVariance ?? 0, counts ? deviceStream.estimate?.headingVariance ?? 0 : 0)
    }

    /// Growth of the variances of both headings since the last recentring, as one standard deviation, radians.
    private var yawDeviation: Double {
        let gained = headingVariances - centringVariances
        return min(InertialFilter.unknownHeading, (max(0, gained.x) + max(0, gained.y)).squareRoot())
    }

    /// Returns the state of tracking, for display.
    package func status(at now: Double) -> HeadTrackerStatus {
        let (head, device) = (headStream.isFresh(at: now), deviceStream.isFresh(at: now))
        let mode: HeadTrackerStatus.Mode =
            if reference == .still {
                .still
            } else if headStream.estimate == nil {
                .waiting
            } else if wentToFront {
                .front
            } else if !head {
                .held
            } else {
                device && reference == .device ? .relative : .headOnly
            }
        let drifts = [headStream, deviceStream].map { $0.estimate?.headingDrift ?? 0 }
        let counted = usesDevice && reference == .device ? drifts[1] : 0
        return HeadTrackerStatus(
            mode: mode, headIsFresh: head, deviceIsFresh: device,
            deviceIsHeld: usesDevice && reference == .device && !device,
            headNoise: headStream.estimate?.noiseRadians, deviceNoise: deviceStream.estimate?.noiseRadians,
            centringYaw: centring.yaw, headInertial: headStream.inertial, deviceInertial: deviceStream.inertial,
            yawDrift: (drifts[0] * drifts[0] + counted * counted).squareRoot(), yawDeviation: yawDeviation,
            lateness: lateness.found)
    }
}

extension TrackedStream {
    /// State of a raw IMU's filter; nil if none is in use.
    fileprivate var inertial: HeadTrackerStatus.Inertial? {
        guard let estimate, let bias = estimate.bias, let isAtRest = estimate.isAtRest else { return nil }
        return HeadTrackerStatus.Inertial(
            bias: bias, isAtRest: isAtRest, headingDrift: estimate.headingDrift,
            headingDeviation: min(InertialFilter.unknownHeading, estimate.headingVariance.squareRoot()),
            gap: estimate.gap)
    }
}
