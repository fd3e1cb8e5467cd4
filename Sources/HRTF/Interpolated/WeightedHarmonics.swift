import Geometry

/// Weighted least squares on the sphere: the harmonics' coefficients that fit values on a quadrature best.
///
/// Solves (Yᵀ·W·Y)·d = Yᵀ·W·h by Cholesky's factors (Golub & Van Loan, §4.2), for complex h and real Y and W. Double
/// precision, one per thread. `weigh` takes directions·channels²/2 multiply-adds, a solution channels² and
/// 2·directions·channels.
struct WeightedHarmonics {
    private let count: Int
    private let channels: Int
    /// Y: `[direction][channel]`, SN3D.
    private let harmonics: [Double]
    /// Solid angle of each direction as a share of the sphere.
    private let shares: [Double]
    private var weights: [Double]
    /// The lower Cholesky factor, `[row][column]`.
    private var factor: [Double]

    init(order: Int, grid: GaussGrid) {
        count = grid.count
        channels = SphericalHarmonics.count(order: order)
        harmonics = grid.directions(in: Head.self).flatMap { SphericalHarmonics.values(order: order, $0) }
        shares = grid.weights
        weights = shares
        factor = [Double](repeating: 0, count: channels * channels)
    }

    /// Sets the weight of each direction: its share of the sphere times `relative(direction)` > 0.
    mutating func weigh(_ relative: (Int) -> Double) {
        for i in 0..<count { weights[i] = shares[i] * relative(i) }
        let (count, channels) = (count, channels)
        factor.withUnsafeMutableBufferPointer { a in
            harmonics.withUnsafeBufferPointer { y in
                weights.withUnsafeBufferPointer { w in
                    for i in 0..<(channels * channels) { a[i] = 0 }
                    // Four directions at a time, so that a row of the matrix is read and written a quarter as often.
                    for direction in stride(from: 0, to: count - count % 4, by: 4) {
                        let at = direction * channels
                        for row in 0..<channels {
                            let (p, q) = (w[direction] * y[at + row], w[direction + 1] * y[at + channels + row])
                            let r = w[direction + 2] * y[at + 2 * channels + row]
                            let s = w[direction + 3] * y[at + 3 * channels + row]
                            for column in 0...row {
                                a[row * channels + column] +=
                                    p * y[at + column] + q * y[at + channels + column]
                                    + r * y[at + 2 * channels + column] + s * y[at + 3 * channels + column]
                            }
                        }
                    }
                    for direction in (count - count % 4)..<count {
                        for row in 0..<channels {
                            let p = w[direction] * y[direction * channels + row]
                            for column in 0...row {
                                a[row * channels + column] += p * y[direction * channels + column]
                            }
                        }
                    }
                    WeightedHarmonics.factorise(a, channels)
                }
            }
        }
    }

    /// Replaces the lower half of a positive definite matrix by its Cholesky factor.
    private static func factorise(_ a: UnsafeMutableBufferPointer<Double>, _ n: Int) {
        for row in 0..<n {
            for column in 0...row {
                var sum = a[row * n + column]
                for k in 0..<column { sum -= a[row * n + k] * a[column * n + k] }
                a[row * n + column] = row == column ? max(1e-300, sum).squareRoot() : sum / a[column * n + column]
            }
        }
    }

    /// Returns the coefficients `[channel]` for values `[direction]`.
    func solve(_ real: [Double], _ imaginary: [Double]) -> (real: [Double], imaginary: [Double]) {
        var result = (real: [Double](repeating: 0, count: channels), imaginary: [Double](repeating: 0, count: channels))
        for direction in 0..<count {
            let (a, b) = (weights[direction] * real[direction], weights[direction] * imaginary[direction])
            for channel in 0..<channels {
                let y = harmonics[direction * channels + channel]
                result.real[channel] += y * a
                result.imaginary[channel] += y * b
            }
        }
        substitute(&result.real)
        substitute(&result.imaginary)
        return result
    }

    /// Solves L·Lᵀ·x = b in place.
    private func substitute(_ x: inout [Double]) {
        for row in 0..<channels {
            var sum = x[row]
            for k in 0..<row { sum -= factor[row * channels + k] * x[k] }
            x[row] = sum / factor[row * channels + row]
        }
        for row in stride(from: channels - 1, through: 0, by: -1) {
            var sum = x[row]
            for k in (row + 1)..<channels { sum -= factor[k * channels + row] * x[k] }
            x[row] = sum / factor[row * channels + row]
        }
    }

    /// Computes the values `[direction]` of coefficients.
    func evaluate(
        _ real: [Double], _ imaginary: [Double], to resultReal: inout [Double], _ resultImaginary: inout [Double]
    ) {
        for direction in 0..<count {
            var (a, b) = (0.0, 0.0)
            for channel in 0..<channels {
                let y = harmonics[direction * channels + channel]
                a += y * real[channel]
                b += y * imaginary[channel]
            }
            resultReal[direction] = a
            resultImaginary[direction] = b
        }
    }
}
