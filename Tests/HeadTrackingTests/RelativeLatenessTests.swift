import Foundation
import Geometry
import IMU
import SeededRandom
import Testing

@testable import HeadTracking

/// The delay between both trackers is measured from a vehicle's turns, whatever the head does.
@Suite struct RelativeLatenessTests {
    /// Turns at random times: each by `size` within its duration, without a jerk.
    private struct Turns {
        var all: [(begin: Double, seconds: Double, radians: Double)] = []

        init(
            _ random: inout SplitMix, size: ClosedRange<Double>, seconds: ClosedRange<Double>,
            rest: ClosedRange<Double>, until end: Double
        ) {
            var time = Double.random(in: rest, using: &random)
            while time < end {
                let lasting = Double.random(in: seconds, using: &random)
                let turn = Double.random(in: size, using: &random) * degree
                all.append((time, lasting, Bool.random(using: &random) ? turn : -turn))
                time += lasting + Double.random(in: rest, using: &random)
            }
        }

        func angle(_ time: Double) -> Double {
            all.reduce(0) { sum, turn in
                let share = max(0, min(1, (time - turn.begin) / turn.seconds))
                return sum + turn.radians * (share - sin(2 * .pi * share) / (2 * .pi))
            }
        }
    }

    struct Case: Sendable {
        /// Delay of the head's samples after the device's, seconds.
        var delay: Double
        var headRate = 100.0
        var isRaw = false
        var vehicleTurns = true
        var seed: UInt64
    }

    /// Six minutes with a device at 50 Hz. Returns the last result, and the largest error of all results, seconds.
    private static func ride(_ ride: Case) -> (last: HeadTrackerStatus.Lateness?, worst: Double) {
        var random = SplitMix(state: ride.seed)
        let end = 360.0
        let vehicle = Turns(&random, size: 30...90, seconds: 2...6, rest: 2...15, until: ride.vehicleTurns ? end : 0)
        let own = Turns(&random, size: 5...50, seconds: 0.4...1.2, rest: 0.1...8, until: end)
        var tracker = HeadTracker()
        func sample(_ angle: (Double) -> Double, at time: Double, late: Double) -> TrackerSample {
            let measured = time - late
            guard ride.isRaw else {
                let pose =
                    Quaternion(yaw: angle(measured), pitch: 0, roll: 0)
                    * Quaternion(rotationVector: random.gaussians() * (0.1 * degree))
                return TrackerSample(time: time, .orientation(Rotation(pose)), arrival: time)
            }
            let rate = (angle(measured + 0.002) - angle(measured - 0.002)) / 0.004
            let noise = random.gaussians() * (0.2 * degree)
            return TrackerSample(
                time: time, .inertial(InertialSample(rate: SIMD3(0, 0, rate) + noise, force: SIMD3(0, 0, 9.81))),
                arrival: time)
        }
        var worst = 0.0
        var (headTime, deviceTime) = (0.003, 0.0)
        while min(headTime, deviceTime) < end {
            if headTime < deviceTime {
                tracker.head(sample({ vehicle.angle($0) + own.angle($0) }, at: headTime, late: ride.delay))
                headTime += 1 / ride.headRate
            } else {
                tracker.device(sample(vehicle.angle, at: deviceTime, late: 0))
                deviceTime += 0.02
            }
            if let found = tracker.lateness.found { worst = max(worst, abs(found.seconds - ride.delay)) }
        }
        return (tracker.status(at: end).lateness, worst)
    }

    @Test(arguments: [
        Case(delay: 0.15, headRate: 25, seed: 1), Case(delay: 0.1, headRate: 50, seed: 2),
        Case(delay: 0.06, isRaw: true, seed: 3), Case(delay: -0.08, seed: 4), Case(delay: 0.2, isRaw: true, seed: 5),
    ])
    func aDelayIsMeasured(_ ride: Case) throws {
        let (last, worst) = Self.ride(ride)
        let found = try #require(last)
        #expect(abs(found.seconds - ride.delay) < 0.015 && found.deviation < 0.018)
        #expect(worst < 0.04)
    }

    @Test(arguments: [
        Case(delay: 0, headRate: 25, seed: 6), Case(delay: 0, isRaw: true, seed: 7),
        Case(delay: 0.15, vehicleTurns: false, seed: 8), Case(delay: 0.15, isRaw: true, vehicleTurns: false, seed: 9),
    ])
    func nothingIsStatedWithoutADelayOrWithoutAVehicle(_ ride: Case) {
        let (last, worst) = Self.ride(ride)
        #expect(last == nil && worst == 0)
    }
}
