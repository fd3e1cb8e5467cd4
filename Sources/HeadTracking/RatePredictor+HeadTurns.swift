extension RatePredictor.Prior {
    /// Of a raw IMU: what minimum-jerk turns of 60 to 500°/s to places within ±80°, a third of them with a steady middle
    /// and stops within 0.12 to 0.3 s, teach at 100 and 200 samples a second with 0.5°/s of noise, half of them means
    /// over the interval. It weighs as much as five seconds of them. `RatePredictorTests` makes these numbers.
    static let raw = RatePredictor.Prior(
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

    /// Of fused orientations: the same turns through `PoseFilter`, with 0.1° and 0.3° of noise per axis.
    static let fused = RatePredictor.Prior(
        weights: (
            SIMD4(-0.056194, 2.1249, -0.53891, -1.9429),
            SIMD4(-0.10093, 2.585, 1.517, -4.4259),
            SIMD4(-0.20304, 2.832, 4.0829, -6.9269)
        ),
        strength: (
            SIMD4(15.086, 0.18194, -0.066861, -0.0089493),
            SIMD4(0.18194, 0.097042, 0.010152, 0.0017736),
            SIMD4(-0.066861, 0.010152, 0.0090723, 0.0043244),
            SIMD4(-0.0089493, 0.0017736, 0.0043244, 0.0032663)
        ))
}
