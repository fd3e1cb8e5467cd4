import Geometry
import HeadTracking
import IMU
import SeededRandom

/// Errors of a forecast, of the heard pose, and of a constant rate, against the truth.
struct ForecastError {
    /// Samples of a tracker, and the true motion.
    struct Motion {
        /// Samples that arrive `age` after the measurements.
        var samples: [TrackerSample] = []
        /// Returns the true orientation at a time; `nil` where it is unknown.
        var truth: (Double) -> Quaternion?
        /// Returns whether a time counts.
        var counts: (Double) -> Bool = { _ in true }
        /// Usual age of a sample as it arrives, seconds.
        static let age = 0.006
    }

    /// Errors in degrees: of the forecast itself, of the heard pose (with the blending from sample to sample), and of a
    /// constant rate.
    var forecast = Spread([])
    var heard = Spread([])
    var constantRate = Spread([])

    /// Reads forecasts every 64 frames at 48 kHz, `lead` seconds ahead. Heading errors accumulated up to a sample do
    /// not count for raw measurements: the forecast is judged from the sample's pose. Fused ones are judged against the
    /// truth. The constant rate is the gyroscope's, or that of the last two orientations.
    init(_ motion: Motion, lead: Double) {
        var tracker = HeadTracker()
        tracker.options.playbackLead = lead
        var (next, nextTick) = (0, 0.0)
        var mailbox = tracker.forecast(at: 0)
        var (previous, newest): (TrackerSample?, TrackerSample?) = (nil, nil)
        var (mine, mineHeard, plain): ([Double], [Double], [Double]) = ([], [], [])
        guard let end = motion.samples.last?.arrival else { return }
        for step in Int((motion.samples[0].arrival * 750).rounded(.up))...Int(end * 750) {
            let now = Double(step) / 750
            while next < motion.samples.count, motion.samples[next].arrival <= now {
                tracker.head(motion.samples[next])
                (previous, newest) = (newest, motion.samples[next])
                mailbox = tracker.forecast(at: motion.samples[next].arrival)
                next += 1
            }
            if now >= nextTick {
                mailbox = tracker.forecast(at: now)
                nextTick = now + 0.02
            }
            let heard = now + lead
            guard let newest, let previous, motion.counts(newest.time), let truth = motion.truth(heard),
                let then = motion.truth(newest.time)
            else { continue }
            let ahead = heard - newest.time
            let pose = mailbox.headToStage(at: heard)
            var bare = mailbox
            bare.correctionDuration = 0
            let plainPose = bare.headToStage(at: heard)
            switch newest.motion {
            case .inertial:
                let turn = then.conjugate * truth
                let back = mailbox.pose.quaternion.conjugate
                mine.append((back * plainPose).angle(to: turn) / degree)
                mineHeard.append((back * pose).angle(to: turn) / degree)
                plain.append(Quaternion(rotationVector: mailbox.rate * ahead).angle(to: turn) / degree)
            case .orientation(let now, _):
                guard case .orientation(let before, _) = previous.motion else { continue }
                let turned = (before.quaternion.conjugate * now.quaternion).rotationVector
                let rate = turned / (newest.time - previous.time)
                mine.append(plainPose.angle(to: truth) / degree)
                mineHeard.append(pose.angle(to: truth) / degree)
                plain.append((now.quaternion * Quaternion(rotationVector: rate * ahead)).angle(to: truth) / degree)
            case .recentre, .discontinuity: continue
            }
        }
        forecast = Spread(mine)
        self.heard = Spread(mineHeard)
        constantRate = Spread(plain)
    }
}

extension ForecastError.Motion {
    /// Takes every third row of a recording (95 Hz), or every `stride`-th: the means of gyroscope and accelerometer
    /// over the interval, or the cameras' orientation with noise in degrees. `age`: that of the samples as they arrive,
    /// seconds.
    init(
        _ recording: Recording, fused: Bool, noise: Double = 0.1, seed: UInt64 = 1, every count: Int = 3,
        age: Double = Self.age
    ) {
        var random = SplitMix(state: seed)
        let rows = recording.rows
        let step = rows[1].time - rows[0].time
        for last in stride(from: count - 1, to: rows.count, by: count) {
            let time = rows[last].time
            if fused {
                guard let truth = rows[last].truth else { continue }
                let pose = truth * Quaternion(rotationVector: random.gaussians() * (noise * degree))
                samples.append(TrackerSample(time: time, .orientation(Rotation(pose)), arrival: time + age))
            } else {
                let few = rows[(last - count + 1)...last]
                let rate = few.reduce(SIMD3<Double>.zero) { $0 + $1.rate } / Double(count)
                let force = few.reduce(SIMD3<Double>.zero) { $0 + $1.force } / Double(count)
                samples.append(
                    TrackerSample(
                        time: time, .inertial(InertialSample(rate: rate, force: force)), arrival: time + age))
            }
        }
        truth = { time in
            let at = (time - rows[0].time) / step
            let index = Int(at)
            guard index + 1 < rows.count, let a = rows[index].truth, let b = rows[index + 1].truth else { return nil }
            return a.slerp(to: b, at - Double(index))
        }
        counts = { time in rows[min(rows.count - 1, Int(((time - rows[0].time) / step).rounded()))].moves }
    }

    /// Simulates an IMU, or orientations with noise in degrees, on a body with a known motion.
    init(
        for duration: Double, rate: Double = 100, phase: Double = 0, fused: Bool, noise: Double = 0.1,
        seed: UInt64, age: Double = Self.age, bodyToWorld: @escaping (Double) -> Quaternion
    ) {
        var random = SplitMix(state: seed)
        var imu = SimulatedIMU.mpu6050
        imu.rate = rate
        for index in 0..<Int(duration * rate) {
            let time = (Double(index) + phase) / rate
            let measured: TrackerMotion =
                if fused {
                    .orientation(
                        Rotation(bodyToWorld(time) * Quaternion(rotationVector: random.gaussians() * (noise * degree))))
                } else {
                    .inertial(imu.sample(at: time, &random, bodyToWorld: bodyToWorld))
                }
            samples.append(TrackerSample(time: time, measured, arrival: time + age))
        }
        truth = bodyToWorld
        counts = { $0 > 1 }
    }
}
