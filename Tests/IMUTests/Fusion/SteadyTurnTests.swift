import Foundation
import Geometry
import IMU
import SeededRandom
import Testing

/// A body on a turntable: at rest, turning steadily for 40 s, at rest again. Scale exact, bias at most 0.05°/s.
@Suite struct SteadyTurnTests {
    /// Heading errors at the end of the turn and 40 s later, and the greatest excess of the error over two standard
    /// deviations and half a degree at any time, degrees.
    private struct Outcome {
        var atEnd = 0.0
        var later = 0.0
        var uncovered = 0.0
    }

    private static func turn(_ rate: Double, after rest: Double, inclined: Bool, hertz: Double, seed: UInt64) -> Outcome
    {
        var dice = SensorNoise(state: seed)
        let fastened = inclined ? Quaternion(yaw: 0, pitch: 8 * degree, roll: -5 * degree) : .identity
        let up = fastened.conjugate.rotate(SIMD3(0, 0, 1))
        let bias = SIMD3(dice.unit() - 0.5, dice.unit() - 0.5, dice.unit() - 0.5) * 0.1 * degree
        var filter = InertialFilter()
        var (yaw, before, outcome) = (0.0, 0.0, Outcome())
        for sample in 0...Int((rest + 80) * hertz) {
            let time = Double(sample) / hertz
            let speed = time > rest && time <= rest + 40 ? rate * degree : 0
            yaw += speed / hertz
            filter.take(
                InertialSample(
                    rate: up * speed + bias + dice.vector(0.12 * degree), force: up * 9.81 + dice.vector(0.03)),
                at: time)
            let heading = headingError(filter.bodyToWorld, Quaternion(yaw: yaw, pitch: 0, roll: 0) * fastened)
            guard time > rest else {
                before = heading
                continue
            }
            let off = abs(remainder(heading - before, 360))
            if time <= rest + 40 { outcome.atEnd = off }
            outcome.later = off
            outcome.uncovered = max(outcome.uncovered, off - 2 * filter.headingDeviation / degree - 0.5)
        }
        return outcome
    }

    @Test(arguments: [3.0, -5, 30, 200], [0.0, 2, 5, 30])
    func aTurnFromThreeDegreesPerSecondOnIsNeverBias(_ rate: Double, _ rest: Double) {
        for (seed, inclined) in [(31 as UInt64, false), (32, true)] {
            let outcome = Self.turn(rate, after: rest, inclined: inclined, hertz: 100, seed: seed)
            #expect(outcome.atEnd < 3 && outcome.later < 3, "\(outcome)")
            #expect(outcome.uncovered <= 0, "\(outcome)")
        }
    }

    @Test(arguments: [0.5, -1, 2, 2.8], [5.0, 10, 30])
    func aSlowTurnAfterFiveSecondsOfRestIsNotBias(_ rate: Double, _ rest: Double) {
        for hertz in [50.0, 286] {
            let outcome = Self.turn(rate, after: rest, inclined: true, hertz: hertz, seed: 41)
            #expect(outcome.atEnd < 2 && outcome.later < 2, "\(outcome)")
            #expect(outcome.uncovered <= 0, "\(outcome)")
        }
    }

    @Test(arguments: [0.5, -1, 2, 2.8], [0.0, 2])
    func whereATurnCannotBeToldFromBiasTheHeadingSaysSo(_ rate: Double, _ rest: Double) {
        for seed in [51 as UInt64, 52] {
            let outcome = Self.turn(rate, after: rest, inclined: seed == 52, hertz: 100, seed: seed)
            #expect(outcome.uncovered <= 0, "\(outcome)")
        }
    }

    @Test func aHeadingWhoseBiasIsKnownForLongIsSure() {
        // A device lies on a desk for ten minutes, with a bias of 0.4°/s. Nothing turns, so the deviation soon becomes
        // small.
        var imu = SyntheticIMU(motion: { _ in Quaternion(yaw: 0, pitch: 0.1, roll: 0) })
        imu.bias = SIMD3(0, 0, 0.4) * degree
        var filter = InertialFilter()
        imu.run(&filter, times: evenTimes(50, until: 60))
        #expect(filter.headingDeviation > 2 * degree)
        imu.run(&filter, times: evenTimes(50, until: 600, from: 60.02))
        #expect(filter.headingDeviation < 5 * degree)
    }
}
