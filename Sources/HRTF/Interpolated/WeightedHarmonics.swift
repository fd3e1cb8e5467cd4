import Geometry
import Signal

/// Weighted least squares on the sphere: the coefficients of the harmonics that fit values on a quadrature best.
///
/// Solves (Yᵀ·W·Y)·d = Yᵀ·W·h by Cholesky factors (Golub & Van Loan, §4.2), with harmonics Y and weights W, both real,
/// and complex values h and coefficients d. Double precision; each thread has its own instance. `weigh` takes
/// directions·channels²/2 multiply-adds, `solve` 2·channels² + 2·directions·channels.
struct WeightedHarmonics {
    private let count: Int
    private let channels: Int
    /// Y: `[direction][channel]`, SN3D.
    private let harmonics: [Double]
    /// Solid angle of each direction as a share of the sphere.
    private let shares: [Double]
    private var weights: [Double]
    /// The lower half of the matrix Yᵀ·W·Y, and its factor.
    private var matrix: [Double]
    private var factor: CholeskyFactor

    init(order: Int, grid: GaussGrid) {
        count = grid.count
        channels = SphericalHarmonics.count(order: order)
        harmonics = grid.directions(in: Head.self).flatMap { SphericalHarmonics.values(order: order, $0) }
        shares = grid.weights
        weights = shares
        matrix = [Double](repeating: 0, count: channels * channels)
        factor = CholeskyFactor(lower: matrix, count: channels)
    }

    /// Sets the weight of each direction: its share of the sphere times `relative(direction)`, which must be above 0.
    mutating func weigh(_ relative: (Int) -> Double) {
        for i in 0..<count { weights[i] = shares[i] * relative(i) }
        let (count, channels) = (count, channels)
        matrix.withUnsafeMutableBufferPointer { a in
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
                }
            }
        }
        factor = CholeskyFactor(lower: matrix, count: channels)
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
        factor.solve(&result.real)
        factor.solve(&result.imaginary)
        return result
    }

    /// Computes the values `[direction]` of the sum of harmonics with given coefficients.
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
