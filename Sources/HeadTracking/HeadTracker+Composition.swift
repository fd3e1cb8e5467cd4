import Geometry
import IMU

extension HeadTracker {
    /// Greatest speed of a sample's correction at 25 samples a second, as a multiple of the head's own speed. Slow
    /// streams need large corrections, which are not audible during a quick turn.
    private static let blendingShare = 3.0

    /// Returns the head's pose relative to a reference, the relative rate (rad/s, head axes), and the time of the
    /// head's newest sample, for which both are valid. Nil without an estimate of the head.
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
        // Rotation from the head's world to the device's world.
        let toWorld = Quaternion(yaw: -commonRide.correction, pitch: 0, roll: 0)
        let headToDevice = (device.pose * mounting.device).conjugate * toWorld * headToWorld
        // The device's own rotation, converted to head axes, is subtracted: it does not move the head on the sound
        // stage.
        let deviceRate = headToDevice.conjugate.rotate(mounting.device.conjugate.rotate(device.rate))
        return (headToDevice, headRate - deviceRate, head.time)
    }

    /// Composes the forecast from the newest estimates. A correction in progress continues.
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
        // After ten time constants the remaining rate is negligible.
        current.horizon = current.steady + 10 * options.headCoast
    }

    /// Restarts the predictors, because a new reference, mounting or heading interrupts the motion.
    mutating func interruptMotion() {
        predictors.raw.restart()
        predictors.fused.restart()
    }

    /// Sets the stage to the front, without motion. A correction in progress continues.
    mutating func goToFront(_ now: Double) {
        current.pose = .identity
        current.rate = SIMD3(0, 0, 0)
        current.departure = .none
        current.time = now
        (current.steady, current.horizon) = (0, 0)
    }

    /// Rotates the stage so that the composed pose has the present yaw of another forecast.
    mutating func tie(to other: PoseForecast, at now: Double) {
        let turn = (other.plain(at: now) * current.plain(at: now).conjugate).twist
        centring = (turn * centring).normalized
        current.pose = Rotation(turn * current.pose.quaternion)
    }

    /// Makes the audible pose continuous: the difference from the previous forecast fades, beginning with the sound
    /// that is rendered now. A large difference fades more slowly.
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

    /// Fades in the change of the forecast by an ordinary sample; in the second half of a long easing only a change of
    /// at least 0.3°. A large change, as after delayed samples, fades in more slowly. If an easing is in progress and
    /// its speed limit permits, the change is merged into the easing, so that neither position nor speed jumps.
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
        // The easing may become 5 % faster, to allow for noise at its beginning.
        let slack = running.correctionDuration >= options.recentreDuration ? 1.05 : 1.001
        if left >= 0.5, eased <= slack * running.correctionDuration * left {
            current.correction /= left
            current.correctionTime = running.correctionTime
            current.correctionDuration = running.correctionDuration
        } else if left > 0 {
            // The new fade starts at a quarter of its course, where it already moves. In a series of large corrections
            // every fade would otherwise start at rest, and none would finish. At a quarter of its course a smooth step
            // has covered 5/32 of its height.
            current.correction /= 1 - 0.15625
            current.correctionDuration = max(base, needed / (1 - 0.15625))
            current.correctionTime = heard - 0.25 * current.correctionDuration
        } else {
            current.correctionDuration = max(base, needed)
        }
    }

    /// Applies a filter's revision of its bias to the yaw pull, which slowly turns the yaw to the front. `sign`: −1 for
    /// the device, because its drift has the opposite effect to the head's.
    mutating func revisePull(with stream: TrackedStream, other: TrackedStream, sign: Double) {
        guard let revision = stream.estimate?.revision else { return }
        let rest = reference == .device ? other.estimate?.verticalVariance ?? 0 : 0
        pull.revise(change: sign * revision.change, before: revision.before + rest, after: revision.after + rest)
    }

    /// Whether the orientations of a single fused tracker are pulled: only if `yawPull` is above its default. The
    /// values are compared as 32-bit numbers, because OSC transmits the default as such a number.
    private var pullsOrientations: Bool {
        Float(options.choices.yawPull) > Float(HeadTrackerOptions.Choices().yawPull)
    }

    /// Turns the stage by the step of the yaw pull.
    mutating func pullYaw(_ now: Double) {
        let isAgainstDevice = usesDevice && reference == .device
        let variances = (headStream.estimate?.verticalVariance ?? 0, deviceStream.estimate?.verticalVariance ?? 0)
        let step = pull.step(
            yaw: current.pose.quaternion.yaw, speed: (current.rate * current.rate).sum().squareRoot(),
            variance: variances.0 + (isAgainstDevice ? variances.1 : 0), at: now,
            isDriftSeen: isAgainstDevice ? deviceStream.isFresh(at: now) : !sharesHeading || pullsOrientations, options)
        guard step != 0 else { return }
        if isAgainstDevice { commonRide.turned(by: pull.compensated) }
        let turn = Quaternion(yaw: step, pitch: 0, roll: 0)
        centring = (turn * centring).normalized
        current.pose = Rotation(turn * current.pose.quaternion)
    }
}

extension PoseForecast {
    /// Returns the predicted pose at a time without the correction, and with all shares (`follow`) equal to 1.
    fileprivate func plain(at moment: Double) -> Quaternion {
        var plain = self
        plain.correctionDuration = 0
        plain.follow = SIMD3(1, 1, 1)
        return plain.headToStage(at: moment)
    }

    /// Returns the yaw of `plain(at:)`, radians.
    func plainYaw(at moment: Double) -> Double { plain(at: moment).yaw }
}
