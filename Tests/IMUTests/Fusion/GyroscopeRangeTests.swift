import Foundation
import Geometry
import SeededRandom
import Testing

@testable import IMU

/// Turns beyond the range of a gyroscope are named, estimated, and counted in the heading's deviation. The seeds were
/// not used during the development of the detection.
@Suite struct GyroscopeRangeTests {
    /// A turn of `angle` degrees about the vertical, with the peak rate as a multiple of the range, by an IMU that is
    /// tilted by `tilt` radians.
    private struct Turn {
        var range = 250.0
        var sampleRate = 100.0
        var peak = 1.6
        var angle = 120.0
        var noise = 0.05
        var tilt = 0.2
        var seed: UInt64 = 1
    }

    /// Error of the heading at the end, its stated deviation, both in degrees, and whether the range was named.
    /// `mounting`: rotation from the axes of the IMU to those of the filter.
    private func outcome(
        _ turn: Turn, mounting: Quaternion = .identity
    ) -> (error: Double, deviation: Double, named: GyroscopeRange) {
        var dice = SensorNoise(state: turn.seed &* 6151)
        var (range, filter) = (GyroscopeRange(), InertialFilter())
        let length = 1.875 * turn.angle / (turn.peak * turn.range)
        let up = SIMD3(sin(turn.tilt), 0, cos(turn.tilt))
        func turned(_ time: Double) -> Double {
            let u = max(0, min(1, (time - 3.003) / length))
            return turn.angle * u * u * u * (10 - 15 * u + 6 * u * u)
        }
        var last = 0.0
        for time in evenTimes(turn.sampleRate, until: 6) {
            var rate = up * ((turned(time) - turned(last)) / max(1e-9, time - last)) + dice.vector(turn.noise)
            rate.clamp(lowerBound: SIMD3(repeating: -turn.range), upperBound: SIMD3(repeating: turn.range))
            rate *= degree
            last = time
            let clipping = range.take(rate, at: time)
            let sample = InertialSample(
                rate: mounting.rotate(rate), force: mounting.rotate(up * 9.81),
                clipping: clipping?.turned { mounting.rotate($0) })
            filter.take(sample, at: time)
        }
        let error = 2 * atan2(filter.bodyToWorld.z, filter.bodyToWorld.w) / degree - turn.angle
        return (error - 360 * (error / 360).rounded(), filter.headingDeviation / degree, range)
    }

    @Test(arguments: [250.0, 500, 1000, 2000, 286.71, 573.42], [100.0, 200, 400])
    func aClippedTurnIsNamedAndItsErrorStated(range: Double, sampleRate: Double) {
        for peak in [1.2, 1.6, 2.5] {
            for seed in 91...94 as ClosedRange<UInt64> {
                // Turns of several samples: 0.15 s and more.
                let angle = max(60, 0.15 * peak * range / 1.875)
                let turn = Turn(range: range, sampleRate: sampleRate, peak: peak, angle: angle, seed: seed)
                let found = outcome(turn)
                #expect(abs((found.named.range ?? 0) / degree - range) < 0.003 * range, "\(turn)")
                #expect(abs(found.error) < 2 * found.deviation, "\(turn): \(found.error), \(found.deviation)")
            }
        }
    }

    /// An IMU that is tilted by 45° clips on two axes with independent errors. However it is tilted and mounted, the
    /// heading is as sure as after the same clipping of one axis. Scale and alignment add about 1° to the deviation.
    @Test(arguments: [Double.pi / 4, -.pi / 4]) func theErrorsOfTwoClippedAxesAreIndependent(tilt: Double) {
        let share = 0.5.squareRoot()
        let one = outcome(Turn(peak: 2.8 * share, angle: 120 * share, tilt: 0, seed: 95)).deviation
        #expect(one > 8, "\(one)")
        for mounting in [
            Quaternion.identity, Quaternion(yaw: .pi, pitch: 0, roll: 0), Quaternion(yaw: 2.2, pitch: -0.7, roll: 1.1),
        ] {
            let both = outcome(Turn(peak: 2.8, angle: 120, tilt: tilt, seed: 95), mounting: mounting).deviation
            #expect(abs(both - one) < 0.1 * one, "\(mounting): \(both), not \(one)")
        }
    }

    /// Without the estimate the error of this turn is 24°.
    @Test func mostOfAClippedTurnIsEstimated() {
        let found = outcome(Turn(peak: 2, angle: 120, seed: 95))
        #expect(abs(found.error) < 10, "\(found.error)")
    }

    @Test(arguments: [0.0, 0.05, 0.3], [96 as UInt64, 97, 98]) func motionWithinTheRangeIsNotNamed(
        noise: Double, seed: UInt64
    ) {
        for (range, peak) in [(250.0, 0.99), (250, 0.6), (500, 0.95), (2000, 0.2)] {
            let found = outcome(Turn(range: range, peak: peak, angle: 90, noise: noise, seed: seed))
            #expect(found.named.count == 0 && found.deviation < 1.5, "\(range), \(peak): \(found)")
        }
    }

    /// A turntable that starts within a sample, without noise, at the very rate of a usual range.
    @Test func aSteadyTurnIsNotNamed() {
        var range = GyroscopeRange()
        for index in 0..<1000 {
            let rate = SIMD3(0, 0, index < 300 ? 0 : 250 * degree)
            #expect(range.take(rate, at: Double(index) / 100) == nil)
        }
    }

    @Test func anUnusualRangeIsFound() {
        var (range, dice) = (GyroscopeRange(), SensorNoise(state: 99))
        for index in 0..<600 {
            let swing = 600 * sin(Double(index) / 100 * 2 * .pi) * degree
            let rate =
                SIMD3(0, 0, max(-431 * degree, min(431 * degree, swing))) + dice.vector(0.1 * degree) * SIMD3(1, 1, 0)
            _ = range.take(rate, at: Double(index) / 100)
        }
        #expect(abs((range.range ?? 0) / degree - 431) < 0.1)
    }
}
