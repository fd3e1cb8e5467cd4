import Glibc

/// Response of the sphere to a source at a finite distance.
extension RigidSphere {
    /// Least product of wave number and radius at which the series is computed. Below it the magnitude of the response
    /// is constant.
    private static let leastSize = 0.01

    /// Returns the complex response at `frequency` Hz (≥ 0) to a point source `distance` metres from the centre (more
    /// than the radius), for each angle of incidence whose cosine is given. Magnitude and phase are relative to the
    /// free-field pressure at the centre. With growing distance it approaches `response(frequency:cosines:)`.
    ///
    /// Source: Duda & Martens (1998), eq. 4 and 5: H(ρ, μ, θ) = −(ρ/μ)·e^{−iμρ} Σ (2m+1)·P_m(cos θ)·h_m(μρ)/h′_m(μ)
    /// with ρ = distance/radius. μ, θ and the conjugation are those of `response(frequency:cosines:)`. Terms fall as
    /// ρ^{−m} and are added until they are below 1e-12 of the largest. O(terms · cosines).
    package func response(
        frequency: Double, cosines: [Double], distance: Double
    ) -> [(real: Double, imaginary: Double)] {
        precondition(distance > radius)
        // Towards 0 Hz the terms are quotients of numbers that overflow. Below `leastSize` the magnitude equals that at
        // `leastSize` within 1e-4, and the phase is proportional to the frequency.
        let asked = 2 * .pi * frequency * radiusTime
        let mu = max(RigidSphere.leastSize, asked)
        let rho = distance / radius
        var near = SphericalHankel(mu)
        var far = SphericalHankel(mu * rho)
        var sums = [(real: Double, imaginary: Double)](repeating: (0, 0), count: cosines.count)
        var (legendre, before) = ([Double](repeating: 1, count: cosines.count), cosines.map { _ in 0.0 })
        var largest = 0.0
        for order in 0..<512 {
            let m = Double(order)
            let (slope, value) = (near.slope, far.value)
            let square = slope.real * slope.real + slope.imaginary * slope.imaginary
            guard square.isFinite, value.imaginary.isFinite else { break }
            let real = (2 * m + 1) * (value.real * slope.real + value.imaginary * slope.imaginary) / square
            let imaginary = (2 * m + 1) * (value.imaginary * slope.real - value.real * slope.imaginary) / square
            for i in sums.indices {
                sums[i].real += real * legendre[i]
                sums[i].imaginary += imaginary * legendre[i]
                (legendre[i], before[i]) = (
                    ((2 * m + 1) * cosines[i] * legendre[i] - m * before[i]) / (m + 1), legendre[i]
                )
            }
            let size = hypot(real, imaginary)
            largest = max(largest, size)
            if m > mu && size < largest * 1e-12 { break }
            near.advance()
            far.advance()
        }
        let (c, s) = (cos(mu * rho), -sin(mu * rho))
        return sums.map { sum in
            // Multiply by −(ρ/μ)·e^{−iμρ}, then conjugate: e^{+iωt}.
            let (real, imaginary) = (sum.real * c - sum.imaginary * s, sum.real * s + sum.imaginary * c)
            return (-rho / mu * real, rho / mu * imaginary * asked / mu)
        }
    }

    /// Returns the time at which a wave front arrives at the surface, seconds relative to the time at which it passes
    /// the centre, for a source `distance` metres from the centre. The path is straight to the lit side and follows the
    /// surface in the shadow. `angle`: angle of incidence, 0…π.
    package func arrival(angle: Double, distance: Double) -> Double {
        let rho = distance / radius
        let way =
            cos(angle) > 1 / rho
            ? (1 + rho * rho - 2 * rho * cos(angle)).squareRoot()
            : (rho * rho - 1).squareRoot() + angle - acos(1 / rho)
        return radiusTime * (way - rho)
    }
}

/// Spherical Hankel functions of the first kind, in rising order, by upward recursion (stable, because y dominates).
private struct SphericalHankel {
    /// The argument, > 0.
    let argument: Double
    /// Order of `value`.
    private var order = 0.0
    /// h_m = j_m + i·y_m.
    private(set) var value: (real: Double, imaginary: Double)
    private var before = (real: 0.0, imaginary: 0.0)

    init(_ x: Double) {
        argument = x
        value = (sin(x) / x, -cos(x) / x)
        // h_{−1} = j_{−1} + i·y_{−1} = cos x/x + i·sin x/x.
        before = (cos(x) / x, sin(x) / x)
    }

    /// h′_m = h_{m−1} − (m+1)/x·h_m.
    var slope: (real: Double, imaginary: Double) {
        let scale = (order + 1) / argument
        return (before.real - scale * value.real, before.imaginary - scale * value.imaginary)
    }

    mutating func advance() {
        let scale = (2 * order + 1) / argument
        (value, before) = (
            (scale * value.real - before.real, scale * value.imaginary - before.imaginary), value
        )
        order += 1
    }
}
