import Glibc

/// Assumed covariance between a set's responses at two directions, and assumed noise. Both determine the weights of an
/// interpolation.
enum InterpolationKernel: Hashable, Sendable {
    /// The thin-plate pseudo-spline on the sphere, m = 2: the surface of least bending.
    case spline(smoothing: Double)
    /// A Matérn covariance, a function of the chord between directions. It is smoother with a higher order and with a
    /// larger `length` (in units of the sphere's radius).
    case matern(Smoothness, length: Double, smoothing: Double)

    /// Order ν of a Matérn covariance. Its surfaces have as many derivatives as there are positive integers below ν.
    enum Smoothness: String, Hashable, Sendable {
        case half = "1/2"
        case threeHalves = "3/2"
        case fiveHalves = "5/2"
    }

    /// Noise that is added to the diagonal. With more noise the result follows single directions less. For comparison,
    /// the kernel's own value on the diagonal is 1 for `matern` and 0.013 for `spline`.
    var smoothing: Double {
        switch self {
        case .spline(let smoothing), .matern(_, length: _, let smoothing): smoothing
        }
    }

    /// Returns the kernel at the cosine z of the angle between two directions.
    ///
    /// Spline: Wahba, "Spline interpolation and smoothing on the sphere", SIAM J. Sci. Stat. Comput. 2 (1981), m = 2:
    /// R(z) = (q(z) − 1/3)/(4π), q = ½[ln(1 + 1/√W)·(12W² − 4W) − 12W^{3/2} + 6W + 1], W = (1 − z)/2. Matérn: Rasmussen
    /// & Williams, Gaussian Processes for Machine Learning (2006), eqs. 4.15–4.17. As functions of the chord, Matérn
    /// covariances are valid on the sphere (Guinness & Fuentes, J. Multivariate Analysis 143 (2016), §2).
    func callAsFunction(_ z: Double) -> Double {
        let w = max(1e-12, min(1, (1 - z) / 2))
        let root = w.squareRoot()
        switch self {
        case .spline:
            let a = log(1 + 1 / root)
            let q = 0.5 * (a * (12 * w * w - 4 * w) - 12 * w * root + 6 * w + 1)
            return (0.5 * q - 1.0 / 6) / (2 * .pi)
        case .matern(let smoothness, let length, smoothing: _):
            // The chord is 2√W.
            let r = 2 * root / length
            switch smoothness {
            case .half: return exp(-r)
            case .threeHalves: return (1 + 3.0.squareRoot() * r) * exp(-3.0.squareRoot() * r)
            case .fiveHalves: return (1 + 5.0.squareRoot() * r + 5.0 / 3 * r * r) * exp(-5.0.squareRoot() * r)
            }
        }
    }
}

extension InterpolationKernel: CustomStringConvertible {
    var description: String {
        switch self {
        case .spline(let smoothing): "a spherical spline (smoothing \(smoothing))"
        case .matern(let smoothness, let length, _):
            "Gaussian processes (Matérn \(smoothness.rawValue), length \(length))"
        }
    }
}
