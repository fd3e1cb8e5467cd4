/// Estimate of a gyroscope's bias, its output at rest.
package struct GyroscopeBias: Hashable, Sendable, Codable {
    /// Bias in body axes, rad/s.
    package var value: SIMD3<Double>
    /// Standard deviation of each axis, rad/s.
    package var deviation: SIMD3<Double>

    /// Creates a bias.
    package init(value: SIMD3<Double>, deviation: SIMD3<Double>) {
        self.value = value
        self.deviation = deviation
    }
}
