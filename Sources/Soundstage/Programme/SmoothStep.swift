/// The course of a fade that no ear hears begin or end: value, slope and curvature are continuous.
package enum SmoothStep {
    /// From 0 at 0 to 1 at 1; beyond them it stays. The polynomial 6x⁵ − 15x⁴ + 10x³ of K. Perlin, Improving noise (2002).
    @_noLocks
    package static func value(_ x: Float) -> Float {
        let x = min(1, max(0, x))
        return x * x * x * (x * (x * 6 - 15) + 10)
    }
}
