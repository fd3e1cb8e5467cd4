import Geometry
import IMU

extension HeadTracker {
    /// Greatest speed of a sample's correction, as a multiple of the head's own speed, at 25 samples a second: slow
    /// streams need large corrections, which are not heard beside a quick turn.
    private static let blendingShare = 3.0

    /// Returns the head against a reference, at the time of its newest sample, and its rate against it in head axes.
    func headToReference(
        _ reference: HeadTrackerOptions.Reference
    ) -> (pose: Quaternion, rate: SIMD3<Double>, time: Double)? {
        guard let head = headStream.estimate else { return nil }
        let headToWorld = head.pose * mounting.head
        let headRate = mounting.head.conjugate.rotate(head.rate)
        guard reference == .device, usesDevice,
            let device = deviceStream.coasting(
                to: head.time, steady: options.deviceSteady, decay: options.deviceCoast)
        else { return (headToWorld, headRate, head.time) }
        // From the head's world to the device's.
        let toWorld = Quaternion(yaw: -commonRide.correction, pitch: 0, roll: 0)
        let headToDevice = (device.pose * mounting.device).conjugate * toWorld * headToWorld
        // The device's own turn, seen in head axes, is no motion of the head on the stage.
        let deviceRate = headToDevice.conjugate.rotate(mounting.device.conjugate.rotate(device.rate))
        return (headToDevice, headRate - deviceRate, head.time)
    }

    /// Composes the forecast from the newest estimates; a correction under way goes on.
    mutating func compose(_ now: Double) {
        guard let head = headToReference(reference) else { return }
        current.pose = Rotation(centring * head.pose)
        current.rate = head.rate
        current.time = head.time
        if reach.take(age: now - head.time, period: headStream.period, lead: options.playbackLead) {
            predictors.raw = RatePredictor(prior: .raw, scale: reach.scale, pace: reach.pace)
            predictors.fused = RatePredictor(prior: .fused, scale: reach.scale, pace: reach.pace)
        }
        if headStream.estimate?.isInertial == true {
            predictors.raw.take(head.pose, rate: head.rate, at: head.time)
            current.departure = predictors.raw.departure
        } else {
            predictors.fused.take(head.pose, rate: head.rate, at: head.time)
            current.departure = predictors.fused.departure
        }
        current.steady = predictors.raw.horizons.z
        current.decay = options.headCoast
        // Ten time constants: the rate left by then is negligible.
        current.horizon = current.steady + 10 * options.headCoast
    }

    /// Restarts the predictors: another reference, mounting or heading interrupts the motion.
    mutating func interruptMotion() {
        predictors.raw.restart()
        predictors.fused.restart()
    }

    /// Sets the stage to the front, without motion; a correction under way goes on.
    mutating func goToFront(_ now: Double) {
        current.pose = .identity
        current.rate = SIMD3(0, 0, 0)
        current.departure = .none
        current.time = now
        (current.steady, current.horizon) = (0, 0)
    }

    /// Turns the stage so that the composed pose has the present yaw of another forecast.
    mutating func tie(to other: PoseForecast, at now: Double) {
        let turn = (other.plain(at: now) * current.plain(at: now).conjugate).twist
        centring = (turn * centring).normalized
        current.pose = Rotation(turn * current.pose.quaternion)
    }

    /// Makes the heard pose continuous: the difference to the previous forecast fades from now on, a large one more
    /// slowly.
    mutating func ease(from before: PoseForecast, at now: Double, over duration: Double) {
        fade(from: before, at: now, over: duration)
        let angle = (current.correction * current.correction).sum().squareRoot()
        // The peak speed of a smooth step is one and a half times its mean.
        current.correctionDuration = max(duration, 1.5 * angle / (options.easingSpeed * .pi / 180))
    }

    private mutating func fade(from before: PoseForecast, at now: Double, over duration: Double) {
        let heard = now + options.playbackLead
        current.correctionDuration = 0
        let difference = before.headToStage(at: heard) * current.headToStage(at: heard).conjugate
        current.correction = difference.rotationVector
        current.correctionTime = heard
        current.correctionDuration = duration
    }

    /// Fades in the correction of an ordinary sample, more slowly where it is large (samples that were held up). It is
    /// merged into an easing under way as far as that stays below the speed limit of easing, so that neither place nor
    /// speed jumps.
    mutating func blend(from before: PoseForecast, at now: Double) {
        guard options.blending > 0 else { return }
        let heard = now + options.playbackLead
        let wanted = before.headToStage(at: heard)
        let left = current.correctionLeft(at: heard)
        let small = 0.3 * Double.pi / 180
        let isLong = current.correctionTime + current.correctionDuration - heard > options.blending
        if left < 0.5, isLong, wanted.angle(to: current.headToStage(at: heard)) < small { return }
        let running = current
        let base = min(options.blending, 0.6 * (headStream.period ?? 1))
        fade(from: before, at: now, over: base)
        let angle = (current.correction * current.correction).sum().squareRoot()
        let speed = (current.rate * current.rate).sum().squareRoot()
        let needed = 1.5 * angle / max(options.blendingSpeed * .pi / 180, Self.blendingShare * (reach.pace - 1) * speed)
        let eased = 1.5 * angle / (options.easingSpeed * .pi / 180)
        // An easing may become 5 % faster, for the noise at its beginning.
        let slack = running.correctionDuration >= options.recentreDuration ? 1.05 : 1.001
        if left >= 0.5, eased <= slack * running.correctionDuration * left {
            current.correction /= left
            current.correctionTime = running.correctionTime
            current.correctionDuration = running.correctionDuration
        } else if left > 0 {
            // The new fade starts at a quarter of its course, where it moves already: a series of large corrections
            // would otherwise start fade after fade at rest and finish none. A smooth step is at 5/32 there.
            current.correction /= 1 - 0.15625
            current.correctionDuration = max(base, needed / (1 - 0.15625))
            current.correctionTime = heard - 0.25 * current.correctionDuration
        } else {
            current.correctionDuration = max(base, needed)
        }
    }

    /// Passes a filter's revision of its bias to the pull; `sign`: −1 for the device, whose drift counts against the
    /// head's.
    mutating func revisePull(with stream: TrackedStream, other: TrackedStream, sign: Double) {
        guard let revision = stream.estimate?.revision else { return }
        let rest = reference == .device ? other.estimate?.verticalVariance ?? 0 : 0
        pull.revise(change: sign * revision.change, before: revision.before + rest, after: revision.after + rest)
    }

    /// Turns the front slowly after the head, too slowly to be noticed.
    mutating func pullYaw(_ now: Double) {
        let isAgainstDevice = usesDevice && reference == .device
        let variances = (headStream.estimate?.verticalVariance ?? 0, deviceStream.estimate?.verticalVariance ?? 0)
        let step = pull.step(
            yaw: current.pose.quaternion.yaw, speed: (current.rate * current.rate).sum().squareRoot(),
            variance: variances.0 + (isAgainstDevice ? variances.1 : 0), at: now,
            isDriftSeen: isAgainstDevice ? deviceStream.isFresh(at: now) : !sharesHeading, options)
        guard step != 0 else { return }
        if isAgainstDevice { commonRide.turned(by: pull.compensated) }
        let turn = Quaternion(yaw: step, pitch: 0, roll: 0)
        centring = (turn * centring).normalized
        current.pose = Rotation(turn * current.pose.quaternion)
    }
}

extension PoseForecast {
    /// Returns the pose at a time before easing and weighting: the head's predicted orientation.
    fileprivate func plain(at moment: Double) -> Quaternion {
        var plain = self
        plain.correctionDuration = 0
        plain.follow = SIMD3(1, 1, 1)
        return plain.headToStage(at: moment)
    }

    /// Returns the yaw of that pose, radians.
    func plainYaw(at moment: Double) -> Double { plain(at: moment).yaw }
}
