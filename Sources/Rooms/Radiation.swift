/// How loudspeakers radiate, and how fast sound travels.
enum Radiation {
    /// Metres per second at 20 °C.
    static let speedOfSound = 343.0

    /// Amplitude of a loudspeaker towards an angle to its axis, by the angle's cosine: a subcardioid, 1 on the axis.
    static func amplitude(cosine: Double) -> Double { 0.6 + 0.4 * cosine }

    /// Mean over all directions of the squared amplitude: 0.6² + 0.4²/3.
    static let meanSquare = 0.6 * 0.6 + 0.4 * 0.4 / 3
}
