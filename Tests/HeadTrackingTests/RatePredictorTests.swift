import Geometry
import IMU
import SeededRandom
import Testing

@testable import HeadTracking

@Suite struct RatePredictorTests {
    /// Returns a prior without knowledge, of almost no strength.
    private static func blank(_ timeConstant: Double) -> RatePredictor.Prior {
        RatePredictor.Prior(
            timeConstant: timeConstant, weights: (.zero, .zero, .zero),
            strength: (SIMD4(1e-6, 0, 0, 0), SIMD4(0, 1e-6, 0, 0), SIMD4(0, 0, 1e-6, 0), SIMD4(0, 0, 0, 1e-6)))
    }

    /// Returns the prior of a predictor that is trained on the turns of `HeadTurns` and forgets nothing.
    private func taught(fused: Bool, timeConstant: Double) -> RatePredictor.Prior {
        var predictor = RatePredictor(prior: Self.blank(timeConstant), memory: .infinity)
        let seconds = 100.0
        for (seed, rate) in [(1, 100.0), (2, 100), (3, 200), (4, 200)] as [(UInt64, Double)] {
            predictor.restart()
            let head = HeadTurns(duration: seconds, seed: seed)
            var random = SplitMix(state: seed)
            var filter: PoseFilter?
            for index in 1..<Int(seconds * rate) {
                let time = Double(index) / rate
                let pose = head.pose(time)
                let error = random.gaussians() * degree
                guard fused else {
                    // Half of the gyroscopes average over the sampling interval, half do not.
                    let span = seed % 2 == 0 ? 1 / rate : 0.001
                    let turned = (head.pose(time - span).conjugate * pose).rotationVector / span
                    predictor.take(pose, rate: turned + error * 0.5, at: time)
                    continue
                }
                let noisy = OrientationSample(
                    time: time,
                    bodyToWorld: Rotation(pose * Quaternion(rotationVector: error * (seed % 2 == 0 ? 0.1 : 0.3))))
                filter?.take(noisy)
                let smooth = filter ?? PoseFilter(noisy)
                filter = smooth
                predictor.take(smooth.pose, rate: smooth.rate, at: time)
            }
        }
        // Strength of the prior: that of five seconds of raw measurements, or of 1.5 s of orientations.
        let share = (fused ? 1.5 : 5) / (4 * seconds)
        let m = predictor.regression.moments
        return RatePredictor.Prior(
            timeConstant: timeConstant, weights: predictor.weights,
            strength: (m.0 * share, m.1 * share, m.2 * share, m.3 * share))
    }

    @Test(arguments: [false, true]) func whatIsKnownBeforehandIsWhatHeadTurnsTeach(fused: Bool) {
        let known = fused ? RatePredictor.Prior.fused : .raw
        let taught = taught(fused: fused, timeConstant: known.timeConstant)
        print("fused \(fused): weights \(taught.weights) strength \(taught.strength)")
        for (a, b) in [
            (known.weights.0, taught.weights.0), (known.weights.1, taught.weights.1),
            (known.weights.2, taught.weights.2), (known.strength.0, taught.strength.0),
            (known.strength.1, taught.strength.1), (known.strength.2, taught.strength.2),
            (known.strength.3, taught.strength.3),
        ] {
            let error = ((a - b) * (a - b)).sum().squareRoot()
            #expect(error <= 1e-3 * (b * b).sum().squareRoot())
        }
    }
}
