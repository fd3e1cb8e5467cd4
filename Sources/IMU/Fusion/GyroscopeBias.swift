/// What is known of a gyroscope's bias: the rate it shows while nothing turns.
package struct GyroscopeBias: Hashable, Sendable, Codable {
    /// Body axes, rad/s.
    package var value: SIMD3<Double>
    /// Standard deviation of each axis, rad/s.
    package var deviation: SIMD3<Double>

    /// A bias.
    package init(value: SIMD3<Double>, deviation: SIMD3<Double>) {
        self.value = value
        self.deviation = deviation
    }
}
