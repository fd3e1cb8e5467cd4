/// Weighted least squares with three results from the same four terms, and a prior; recursive, with forgetting.
///
/// Solves (A + A₀) c = b + A₀ c₀. c are the weights; A and b are the weighted sums of the products of terms with terms
/// and with results. A₀ and c₀ are strength and weights of the prior (regularised least squares: Haykin, "Adaptive
/// Filter Theory"). With little motion, c stays near c₀ and nothing diverges. O(1), without allocation.
struct RateRegression: Sendable {
    /// Four rows of a symmetric matrix.
    typealias Matrix = (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)
    /// Weights of the four terms for each of the three results.
    typealias Weights = (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

    /// Sums of the products of the terms. `products`: sums of terms times results.
    private(set) var moments: Matrix = (.zero, .zero, .zero, .zero)
    private var products: Weights = (.zero, .zero, .zero)

    /// Multiplies the weight of all past observations by a factor of 0…1.
    mutating func forget(to share: Double) {
        moments = (moments.0 * share, moments.1 * share, moments.2 * share, moments.3 * share)
        products = (products.0 * share, products.1 * share, products.2 * share)
    }

    /// Adds one observation: its terms and results.
    mutating func take(_ terms: SIMD4<Double>, results: SIMD3<Double>, weight: Double) {
        let weighted = terms * weight
        moments.0 += terms.x * weighted
        moments.1 += terms.y * weighted
        moments.2 += terms.z * weighted
        moments.3 += terms.w * weighted
        products.0 += results.x * weighted
        products.1 += results.y * weighted
        products.2 += results.z * weighted
    }

    /// Returns the weights of least error; `nil` if the sums are singular, as without a prior before any motion.
    func weights(prior: Weights, strength: Matrix) -> Weights? {
        let sums: Matrix = (
            moments.0 + strength.0, moments.1 + strength.1, moments.2 + strength.2, moments.3 + strength.3
        )
        guard let root = Cholesky(sums) else { return nil }
        return (
            root.solve(products.0 + Self.times(strength, prior.0)),
            root.solve(products.1 + Self.times(strength, prior.1)),
            root.solve(products.2 + Self.times(strength, prior.2))
        )
    }

    private static func times(_ m: Matrix, _ v: SIMD4<Double>) -> SIMD4<Double> {
        m.0 * v.x + m.1 * v.y + m.2 * v.z + m.3 * v.w
    }

    /// Lower triangular matrix L with L·Lᵀ = A (Golub & Van Loan, "Matrix Computations", §4.2).
    private struct Cholesky {
        private let a: SIMD4<Double>
        private let b: SIMD4<Double>
        private let c: SIMD4<Double>
        private let d: SIMD4<Double>

        init?(_ m: Matrix) {
            guard m.0.x > 0 else { return nil }
            let a0 = m.0.x.squareRoot()
            let (b0, c0, d0) = (m.1.x / a0, m.2.x / a0, m.3.x / a0)
            let bb = m.1.y - b0 * b0
            guard bb > 0 else { return nil }
            let b1 = bb.squareRoot()
            let (c1, d1) = ((m.2.y - c0 * b0) / b1, (m.3.y - d0 * b0) / b1)
            let cc = m.2.z - c0 * c0 - c1 * c1
            guard cc > 0 else { return nil }
            let c2 = cc.squareRoot()
            let d2 = (m.3.z - d0 * c0 - d1 * c1) / c2
            let dd = m.3.w - d0 * d0 - d1 * d1 - d2 * d2
            guard dd > 0 else { return nil }
            a = SIMD4(a0, 0, 0, 0)
            b = SIMD4(b0, b1, 0, 0)
            c = SIMD4(c0, c1, c2, 0)
            d = SIMD4(d0, d1, d2, dd.squareRoot())
        }

        func solve(_ v: SIMD4<Double>) -> SIMD4<Double> {
            let y0 = v.x / a.x
            let y1 = (v.y - b.x * y0) / b.y
            let y2 = (v.z - c.x * y0 - c.y * y1) / c.z
            let y3 = (v.w - d.x * y0 - d.y * y1 - d.z * y2) / d.w
            let x3 = y3 / d.w
            let x2 = (y2 - d.z * x3) / c.z
            let x1 = (y1 - c.y * x2 - d.y * x3) / b.y
            return SIMD4((y0 - b.x * x1 - c.x * x2 - d.x * x3) / a.x, x1, x2, x3)
        }
    }
}
