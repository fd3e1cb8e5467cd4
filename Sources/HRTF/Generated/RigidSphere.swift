import Glibc

/// Pressure on a rigid sphere in a plane wave, relative to the free-field pressure at the sphere's centre.
///
/// Source: Duda & Martens, "Range dependence of the response of a spherical head model", JASA 104 (1998), eq. 4 with
/// the source at infinity (Rayleigh's series): H(μ, θ) = (i/μ²) Σ (2m+1)·(−i)^m·P_m(cos θ)/h′_m(μ), μ = 2πfa/c (f:
/// frequency, a: radius, c: speed of sound, θ: angle of incidence). The result is conjugated, so that a delay decreases
/// the phase (e^{+iωt}).
package struct RigidSphere: Sendable {
    /// Radius in metres.
    package var radius: Double
    /// Speed of sound in metres per second: 343 in air at 20 °C.
    package static let speedOfSound = 343.0
    /// The radius that fits adult heads best, in metres (Algazi et al. 2001).
    package static let averageRadius = 0.0875

    /// Creates a sphere of `radius` metres.
    package init(radius: Double = averageRadius) { self.radius = radius }

    /// Travel time of sound along one radius, seconds.
    package var radiusTime: Double { radius / RigidSphere.speedOfSound }

    /// Returns the complex response at `frequency` Hz (≥ 0) for each angle of incidence whose cosine is given.
    ///
    /// The angle is between the direction of the source and the direction of the point on the surface. About 1.4·μ + 12
    /// terms are added, until they are below 1e-12 of the largest. O(terms · cosines).
    package func response(frequency: Double, cosines: [Double]) -> [(real: Double, imaginary: Double)] {
        let mu = 2 * .pi * frequency * radiusTime
        guard mu > 1e-6 else { return cosines.map { _ in (1, 0) } }
        // h_m = j_m + i·y_m by upward recursion (stable, because y dominates).
        var (previousReal, previousImaginary) = (sin(mu) / mu, -cos(mu) / mu)
        var real = sin(mu) / (mu * mu) - cos(mu) / mu
        var imaginary = -cos(mu) / (mu * mu) - sin(mu) / mu
        var result = [(real: Double, imaginary: Double)](repeating: (0, 0), count: cosines.count)
        var (legendre, legendrePrevious) = ([Double](repeating: 1, count: cosines.count), cosines.map { _ in 0.0 })
        // h′_0 = −h_1.
        var (slopeReal, slopeImaginary) = (-real, -imaginary)
        var largest = 0.0
        for order in 0..<512 {
            let m = Double(order)
            if order > 0 {
                // h′_m = h_{m−1} − (m+1)/μ·h_m
                slopeReal = previousReal - (m + 1) / mu * real
                slopeImaginary = previousImaginary - (m + 1) / mu * imaginary
            }
            // (i/μ²)(2m+1)(−i)^m / h′ = (2m+1)/μ² · i^{1−m mod 4} · conj(h′)/|h′|²
            let squared = slopeReal * slopeReal + slopeImaginary * slopeImaginary
            let scale = (2 * m + 1) / (mu * mu * squared)
            let (a, b) = (slopeReal * scale, -slopeImaginary * scale)
            let term: (Double, Double)
            switch order % 4 {
            case 0: term = (-b, a)  // times i
            case 1: term = (a, b)  // times 1
            case 2: term = (b, -a)  // times −i
            default: term = (-a, -b)  // times −1
            }
            for i in result.indices {
                result[i].real += term.0 * legendre[i]
                result[i].imaginary -= term.1 * legendre[i]  // conjugate: e^{+iωt}
            }
            let size = (a * a + b * b).squareRoot()
            largest = max(largest, size)
            if m > mu && size < largest * 1e-12 { break }
            for i in cosines.indices {
                let next = ((2 * m + 1) * cosines[i] * legendre[i] - m * legendrePrevious[i]) / (m + 1)
                legendrePrevious[i] = legendre[i]
                legendre[i] = next
            }
            if order > 0 {
                let (nextReal, nextImaginary) = (
                    (2 * m + 1) / mu * real - previousReal, (2 * m + 1) / mu * imaginary - previousImaginary
                )
                (previousReal, previousImaginary) = (real, imaginary)
                (real, imaginary) = (nextReal, nextImaginary)
            }
        }
        return result
    }

    /// Returns the arrival of a plane wave's front at the surface, seconds relative to the time at which it passes the
    /// centre (Woodworth): −(a/c)·cos θ on the lit side, (a/c)·(θ − π/2) in the shadow. θ is `angle`, 0…π.
    package func arrival(angle: Double) -> Double {
        radiusTime * (angle < .pi / 2 ? -cos(angle) : angle - .pi / 2)
    }
}
