import Testing

@testable import Geometry

@Suite struct PoseForecastTests {
    @Test func extrapolatesAtTheRateAndHoldsAtTheHorizon() {
        let f = PoseForecast(pose: Rotation(yaw: 0.1), rate: SIMD3(0, 0, 1), time: 10, horizon: 0.05)
        #expect(abs(f.headToStage(at: 10.02).yaw - 0.12) < 1e-12)
        #expect(abs(f.headToStage(at: 11).yaw - 0.15) < 1e-12)
    }

    @Test func aDecayingRateReachesRateTimesTimeConstant() {
        let f = PoseForecast(pose: .identity, rate: SIMD3(0, 0, 1), time: 0, decay: 0.03, horizon: 10)
        #expect(abs(f.headToStage(at: 10).yaw - 0.03) < 1e-9)
    }

    @Test func aSteadyTimeComesBeforeTheDecay() {
        var f = PoseForecast(pose: .identity, rate: SIMD3(0, 0, 1), time: 0, decay: 0.03, horizon: 10)
        f.steady = 0.05
        #expect(abs(f.headToStage(at: 0.04).yaw - 0.04) < 1e-12)
        #expect(abs(f.headToStage(at: 10).yaw - 0.08) < 1e-9)
    }

    /// The turn follows rate and departure until the steady time, and then continues at the rate reached there.
    @Test func aDepartureBendsTheTurnWithoutACorner() {
        var f = PoseForecast(pose: .identity, rate: SIMD3(0, 0, 2), time: 0, decay: 0.1, horizon: 10)
        f.steady = 0.1
        let end = 2 - 0.1 + 2 * 0.1 * -3 + 3 * 0.01 * -20
        f.departure = .init(
            rate: SIMD3(0, 0, -0.1), slope: SIMD3(0, 0, -3), curvature: SIMD3(0, 0, -20), last: SIMD3(0, 0, end - 2))
        let yaw = { (time: Double) in f.headToStage(at: time).yaw }
        #expect(abs(yaw(0.05) - (1.9 - 0.15 - 0.05) * 0.05) < 1e-12)
        #expect(abs(yaw(0.1) - (1.9 - 0.3 - 0.2) * 0.1) < 1e-12)
        #expect(abs(yaw(9) - yaw(0.1) - end * 0.1) < 1e-9)
        #expect(abs(yaw(-0.05) + 1.9 * 0.05) < 1e-12)
        for time in [0.0, 0.1] {
            let before = (yaw(time) - yaw(time - 1e-6)) / 1e-6
            let after = (yaw(time + 1e-6) - yaw(time)) / 1e-6
            #expect(abs(after - before) < 1e-4)
        }
    }

    @Test func aCorrectionFadesMonotonicallyToNothing() {
        var f = PoseForecast.still(.identity)
        f.correction = SIMD3(0, 0, 0.5)
        f.correctionTime = 1
        f.correctionDuration = 0.3
        var last = 0.5 + 1e-12
        for step in 0...30 {
            let yaw = f.headToStage(at: 1 + Double(step) / 100).yaw
            #expect(yaw <= last)
            last = yaw
        }
        #expect(abs(f.headToStage(at: 1).yaw - 0.5) < 1e-12)
        #expect(f.headToStage(at: 1.3).yaw == 0)
    }
}
