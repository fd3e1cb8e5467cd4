/// Directivity of the loudspeakers, and the speed of sound.
enum Radiation {
    /// Speed of sound at 20 °C, m/s.
    static let speedOfSound = 343.0

    /// Returns the amplitude of a loudspeaker at an angle to its axis, given the angle's cosine: a subcardioid, 1 on
    /// the axis.
    static func amplitude(cosine: Double) -> Double { 0.6 + 0.4 * cosine }

    /// Mean squared amplitude over all directions: 0.6² + 0.4²/3.
    static let meanSquare = 0.6 * 0.6 + 0.4 * 0.4 / 3
}
