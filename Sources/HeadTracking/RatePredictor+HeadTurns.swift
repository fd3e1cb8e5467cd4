extension RatePredictor.Prior {
    /// Prior for a raw IMU. It was fitted to minimum-jerk turns of 60 to 500°/s to directions within ±80°. A third of
    /// the turns have a steady middle and stop within 0.12 to 0.3 s. The turns are sampled at 100 and 200 Hz with
    /// 0.5°/s of noise. Half of the gyroscopes average over the sampling interval. The prior's weight is that of five
    /// seconds of such turns. `RatePredictorTests` computes these numbers.
    static let raw = RatePredictor.Prior(
        timeConstant: 0.012,
        weights: (
            SIMD4(-0.011047, 1.4427, 2.4125, 2.5191),
            SIMD4(-0.038275, 2.5023, 4.9354, 8.1192),
            SIMD4(-0.12528, 3.4415, 7.1051, 17.286)
        ),
        strength: (
            SIMD4(15.919, 0.1511, -0.087485, -0.01298),
            SIMD4(0.1511, 0.10371, 0.0055431, -0.0025677),
            SIMD4(-0.087485, 0.0055431, 0.0041626, 0.00063145),
            SIMD4(-0.01298, -0.0025677, 0.00063145, 0.00047758)
        ))

    /// Prior for fused orientations, fitted to the same turns through `PoseFilter`, with 0.1° and 0.3° of noise per
    /// axis. The low passes are slower than for a gyroscope, to average out the noise. The lag of a rate from
    /// orientations differs between motions, so the prior's weight is only that of a second and a half.
    static let fused = RatePredictor.Prior(
        timeConstant: 0.02,
        weights: (
            SIMD4(-0.052001, 1.0319, 0.87577, -1.3042),
            SIMD4(-0.096907, 1.2636, 1.6037, -1.3117),
            SIMD4(-0.20035, 1.4051, 2.3060, -0.98005)
        ),
        strength: (
            SIMD4(4.5258, 0.13414, -0.054793, -0.017332),
            SIMD4(0.13414, 0.091152, 0.011123, -0.0019205),
            SIMD4(-0.054793, 0.011123, 0.010863, 0.0046040),
            SIMD4(-0.017332, -0.0019205, 0.0046040, 0.0041413)
        ))
}
