import Foundation
import Geometry
import IMU
import SeededRandom
import Testing

/// Samples missing in a turn: the heading that is lost is stated in its deviation.
@Suite struct GapTests {
    private struct Outcome {
        /// Error of the heading that the gap causes, degrees.
        var error: Double
        /// Stated deviation of the heading before and after the gap, degrees.
        var before: Double
        var stated: Double
        /// The gap as the filter reports it.
        var gap: InertialFilter.Gap?
    }

    /// 15 s of rest, then a turn; samples are missing from 2 s after its start on.
    private static func trial(gap: Double, degreesPerSecond: Double, hertz: Double, seed: UInt64) -> Outcome {
        var dice = SensorNoise(state: seed)
        let bias = dice.vector(0.1 * degree)
        var filter = InertialFilter()
        var yaw = 0.0
        var outcome = Outcome(error: 0, before: 0, stated: 0)
        for number in 0..<Int((20 + gap) * hertz) {
            let time = Double(number) / hertz
            let speed = time > 15 ? degreesPerSecond * degree : 0
            yaw += speed / hertz
            if time > 17, time < 17 + gap { continue }
            filter.take(
                InertialSample(
                    rate: SIMD3(0, 0, speed) + bias + dice.vector(0.12 * degree),
                    force: SIMD3(0, 0, 9.81) + dice.vector(0.03)), at: time)
            let error = remainder(filter.bodyToWorld.yaw - yaw, 2 * .pi) / degree
            if time <= 17 {
                (outcome.before, outcome.error) = (filter.headingDeviation / degree, error)
            } else if outcome.stated == 0 {
                outcome.error = abs(remainder(error - outcome.error, 360))
                outcome.stated = min(InertialFilter.unknownHeading, filter.headingDeviation) / degree
            }
        }
        outcome.gap = filter.gap
        return outcome
    }

    @Test func twoDeviationsCoverTheTurnOfAGap() {
        var (errors, stated, uncovered) = ([Double](), [Double](), 0)
        for gap in [0.6, 1, 2, 5] {
            for rate in [-200.0, -60, 10, 30, 120] {
                for hertz in [50.0, 100, 400] {
                    let outcome = Self.trial(
                        gap: gap, degreesPerSecond: rate, hertz: hertz, seed: UInt64(gap * 1000 + hertz))
                    errors.append(outcome.error)
                    stated.append(outcome.stated)
                    if outcome.error > 2 * outcome.stated { uncovered += 1 }
                    #expect(abs((outcome.gap?.seconds ?? 0) - gap) < 0.05)
                }
            }
        }
        #expect(Double(uncovered) <= 0.05 * Double(errors.count), "\(uncovered) of \(errors.count)")
        let (error, deviation) = (errors.sorted()[errors.count / 2], stated.sorted()[stated.count / 2])
        #expect(deviation <= 3 * error, "\(deviation)° are stated where \(error)° are lost")
    }

    @Test(arguments: [0.1, 0.3]) func shortGapsAreBridged(_ gap: Double) {
        let outcome = Self.trial(gap: gap, degreesPerSecond: 60, hertz: 100, seed: 3)
        #expect(outcome.error < 1 && outcome.gap == nil, "\(outcome)")
    }

    @Test func aGapAtRestCostsNothing() throws {
        let outcome = Self.trial(gap: 3, degreesPerSecond: 0, hertz: 100, seed: 4)
        #expect(outcome.error < 0.5 && outcome.stated < outcome.before + 0.7, "\(outcome)")
        #expect(try #require(outcome.gap).deviation < 1 * degree)
    }

    @Test func withACompassTheDeviationSaysIt() {
        var options = InertialOptions()
        options.usesField = true
        var filter = InertialFilter(options: options)
        var yaw = 0.0
        var before = 0.0
        for number in 0..<3000 {
            let time = Double(number) / 100
            let speed = time > 15 && time < 20 ? 60 * degree : 0
            yaw += speed / 100
            if time > 17, time < 19 { continue }
            filter.take(
                InertialSample(
                    rate: SIMD3(0, 0, speed), force: SIMD3(0, 0, 9.81),
                    field: Quaternion(yaw: yaw, pitch: 0, roll: 0).conjugate.rotate(SIMD3(0, 20, -44))), at: time)
            if time <= 17 { before = filter.headingDeviation }
            // At the first sample after the gap the deviation is large. The magnetic field then corrects the heading
            // within a second.
            if abs(time - 19) < 0.005 { #expect(filter.headingDeviation > before + 30 * degree) }
            if abs(time - 21) < 0.005 { #expect(filter.headingDeviation < before + 3 * degree) }
        }
        #expect(filter.gap == nil)
    }
}
