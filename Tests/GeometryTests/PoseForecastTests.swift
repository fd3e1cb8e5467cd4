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
