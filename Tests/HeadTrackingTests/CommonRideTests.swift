import Geometry
import HeadTracking
import IMU
import SeededRandom
import Testing

/// Correction of the heading between two drifting gyroscopes by the vehicle's acceleration, which both trackers
/// measure.
@Suite struct CommonRideTests {
    /// Returns yaw errors, degrees, ten a second, of an MPU-6050 on a restless head against one on the device, without
    /// the pull.
    private func errors(
        _ bus: VirtualBus?, duration: Double, scale: Double = 1, ramp: Double = 0, brakes: Double = .infinity
    ) -> [(time: Double, error: Double)] {
        var options = HeadTrackerOptions()
        options.choices.yawPull = 0
        var tracker = HeadTracker(options: options)
        let motion = RestlessHead(duration: duration, rests: 31.7, seed: 7)
        var random = SplitMix(state: 8)
        var (onHead, onDevice) = (SimulatedIMU.mpu6050, SimulatedIMU.mpu6050)
        (onHead.rate, onDevice.rate) = (50, 50)
        onHead.scale = scale
        onHead.bias = { SIMD3(0, 0, ramp * $0 / 600) }
        onDevice.bias = { SIMD3(0, 0, -ramp * $0 / 600) }
        var result: [(time: Double, error: Double)] = []
        for index in 0..<Int(duration * 50) {
            let time = Double(index) / 50
            let moving = time < brakes ? bus : nil
            let carried = { (t: Double) in Quaternion(yaw: moving?.heading(t) ?? 0, pitch: 0, roll: 0) }
            let push = carried(time).rotate(moving?.acceleration(time) ?? .zero)
            let parked = Quaternion(yaw: 0, pitch: 0.02, roll: -0.01)
            tracker.device(
                TrackerSample(
                    time: time,
                    .inertial(onDevice.sample(at: time, &random, acceleration: push) { carried($0) * parked })))
            tracker.head(
                TrackerSample(
                    time: time,
                    .inertial(onHead.sample(at: time, &random, acceleration: push) { carried($0) * motion.pose($0) })))
            guard index % 5 == 0 else { continue }
            let pose = tracker.forecast(at: time).headToStage(at: time)
            result.append((time, yawError(pose, motion.yaw(time))))
        }
        return result
    }

    @Test func aRideShowsHowGyroscopesPart() {
        let riding = Spread(
            errors(VirtualBus(), duration: 900, scale: 1.005, ramp: 0.04).filter { $0.time > 60 }.map(\.error))
        let parked = Spread(errors(nil, duration: 900, scale: 1.005, ramp: 0.04).filter { $0.time > 60 }.map(\.error))
        print("15 minutes, biases parting by 2 × 0.04°/s in ten minutes, no pull: riding \(riding), parked \(parked)")
        #expect(riding.rms <= 1.2)
        #expect(riding.max <= 4)
        #expect(riding.rms < parked.rms / 2)
    }

    @Test func itIsTurnedSlowly() {
        // The change of the yaw error is bounded by the correction's rate, the late estimate of the bias, and the true
        // drift.
        let errors = errors(VirtualBus(), duration: 300, ramp: 0.04).filter { $0.time > 60 }
        let fastest = zip(errors, errors.dropFirst(10)).map { abs($0.error - $1.error) }.max() ?? 90
        print("on a bus: in a second the yaw error changes by \(rounded(fastest))° at most")
        #expect(fastest <= 6)
    }

    @Test func theEndOfARideChangesNothing() {
        let errors = errors(VirtualBus(), duration: 300, brakes: 180)
        let atEnd = errors.filter { (170..<180).contains($0.time) }.map(\.error)
        let later = errors.filter { (190..<200).contains($0.time) }.map(\.error)
        let mean = { (x: [Double]) in x.reduce(0, +) / Double(max(1, x.count)) }
        #expect(abs(mean(atEnd) - mean(later)) < 1)
    }
}
