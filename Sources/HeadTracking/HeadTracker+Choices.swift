import Geometry
import IMU

extension HeadTracker {
    /// Adopts what the user has chosen since: another reference, other weights. Eased; what was in front stays in
    /// front.
    mutating func adopt(_ now: Double) {
        guard options.reference != reference || options.follow != current.follow else { return }
        let before = current
        current.follow = options.follow
        if options.reference != reference { refer(to: options.reference, at: now, before) }
        ease(from: before, at: now, over: options.choiceDuration)
    }

    private mutating func refer(to chosen: HeadTrackerOptions.Reference, at now: Double, _ before: PoseForecast) {
        reference = chosen
        pull = YawPull()
        interruptMotion()
        guard chosen != .still else { return goToFront(now) }
        // The front is kept: by as much as the yaw differs between the references, the stage turns back.
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

    /// How much of the present pose becomes the new front.
    package enum Recentring: String, Hashable, Sendable, CaseIterable {
        /// Only the heading; the horizon stays level.
        case yaw
        /// For trackers fastened at an angle: head and device are taken to be level now, and what their trackers say
        /// against that is how they are fastened. Their heading on the head cannot be seen: x should point to the
        /// front.
        case full
        /// Back to the trackers' own zero.
        case reset
    }

    /// Makes where the head points now the front of the stage, eased. False, and nothing changes, if no head has been
    /// heard (or, except for `.yaw`, none is heard now), or if the user wants no tracking.
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
        ease(from: before, at: now, over: options.recentreDuration)
        return true
    }

    /// A pose without its heading.
    private static func tilt(_ pose: Quaternion) -> Quaternion {
        Quaternion(yaw: -pose.yaw, pitch: 0, roll: 0) * pose
    }

    /// Variances of both headings, rad²: the device's counts while it is the reference.
    private var headingVariances: SIMD2<Double> {
        let counts = usesDevice && reference == .device
        return SIMD2(
            headStream.estimate?.headingVariance ?? 0, counts ? deviceStream.estimate?.headingVariance ?? 0 : 0)
    }

    /// What has been added to them since the last recentring, as one standard deviation, radians.
    private var yawDeviation: Double {
        let gained = headingVariances - centringVariances
        return (max(0, gained.x) + max(0, gained.y)).squareRoot()
    }

    /// What the tracker is doing, for the user.
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
            yawDrift: (drifts[0] * drifts[0] + counted * counted).squareRoot(), yawDeviation: yawDeviation)
    }
}

extension TrackedStream {
    /// What is known of a raw IMU.
    fileprivate var inertial: HeadTrackerStatus.Inertial? {
        guard let estimate, let bias = estimate.bias, let isAtRest = estimate.isAtRest else { return nil }
        return HeadTrackerStatus.Inertial(
            bias: bias, isAtRest: isAtRest, headingDrift: estimate.headingDrift,
            headingDeviation: estimate.headingVariance.squareRoot())
    }
}
