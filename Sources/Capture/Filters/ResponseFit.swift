import Geometry
import Signal

/// Weighted least squares in one bin. The result is the complex weights of the capsules with which the weighted sum is
/// closest to the wanted response in all directions.
///
/// The unknowns are the real and the imaginary parts, so that errors in phase with a reference and errors in quadrature
/// can have different weights. The Tikhonov term limits the size of the weights, and thus the capsules' noise (Politis
/// & Gamper, "Comparing modeled and measurement-based spherical harmonic encoding filters for spherical microphone
/// arrays", WASPAA 2017, eq. 9).
struct ResponseFit {
    /// Complex weights of the capsules.
    struct Weights: Sendable {
        var real: [Double]
        var imaginary: [Double]

        /// Power gain of the capsules' noise, which is the sum of squares.
        var noise: Double { zip(real, imaginary).reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 } }
    }

    /// Responses, `[direction][capsule]`: real parts here, imaginary parts in `imaginary`.
    private var real: [Double]
    private var imaginary: [Double]
    private let capsules: Int
    /// Weight of the squared error of each direction.
    private let shares: [Double]
    private let regularisation: Double

    /// Creates a fit from the responses in one bin, for directions with weights.
    ///
    /// - Parameter regularisation: Tikhonov term, relative to the capsules' mean power.
    init(
        _ responses: ArrayResponses, bin: Int, directions: [Direction<Stage>], shares: [Double], regularisation: Double
    ) {
        capsules = responses.capsuleCount
        self.shares = shares
        self.regularisation = regularisation
        (real, imaginary) = ([], [])
        real.reserveCapacity(directions.count * capsules)
        imaginary.reserveCapacity(directions.count * capsules)
        for direction in directions {
            for capsule in 0..<capsules {
                let value = responses.response(bin, capsule: capsule, direction.unit)
                real.append(value.real)
                imaginary.append(value.imaginary)
            }
        }
    }

    /// Returns the response of the weighted sum in each direction.
    func output(_ weights: Weights) -> (real: [Double], imaginary: [Double]) {
        var (a, b) = ([Double](repeating: 0, count: shares.count), [Double](repeating: 0, count: shares.count))
        for direction in shares.indices {
            for capsule in 0..<capsules {
                let (x, y) = (real[direction * capsules + capsule], imaginary[direction * capsules + capsule])
                a[direction] += x * weights.real[capsule] - y * weights.imaginary[capsule]
                b[direction] += x * weights.imaginary[capsule] + y * weights.real[capsule]
            }
        }
        return (a, b)
    }

    /// Rotates the phase of each direction's responses by minus the angle that is given by `cosines` and `sines`.
    mutating func turn(cosines: [Double], sines: [Double]) {
        for direction in shares.indices {
            for place in (direction * capsules)..<((direction + 1) * capsules) {
                let (x, y) = (real[place], imaginary[place])
                real[place] = x * cosines[direction] + y * sines[direction]
                imaginary[place] = y * cosines[direction] - x * sines[direction]
            }
        }
    }

    /// Returns the Cholesky factor of the normal equations' matrix. `quadrature`: weight of errors in quadrature with
    /// the reference.
    func system(quadrature: Double) -> CholeskyFactor {
        let n = 2 * capsules
        var matrix = [Double](repeating: 0, count: n * n)
        for direction in shares.indices {
            for i in 0..<n {
                let (a, b) = (inPhase(direction, i) * shares[direction], across(direction, i) * shares[direction])
                for j in 0...i {
                    matrix[i * n + j] += a * inPhase(direction, j) + quadrature * b * across(direction, j)
                }
            }
        }
        let mean = (0..<n).reduce(0) { $0 + matrix[$1 * n + $1] } / Double(n)
        for i in 0..<n { matrix[i * n + i] += regularisation * mean + 1e-12 }
        return CholeskyFactor(lower: matrix, count: n)
    }

    /// Returns the weights for the wanted response in each direction. `system` must have the same `quadrature`.
    func solve(
        _ system: CholeskyFactor, quadrature: Double, real wanted: [Double], imaginary wantedAcross: [Double]? = nil
    ) -> Weights {
        let n = 2 * capsules
        var right = [Double](repeating: 0, count: n)
        for direction in shares.indices {
            let a = shares[direction] * wanted[direction]
            let b = wantedAcross.map { quadrature * shares[direction] * $0[direction] } ?? 0
            for i in 0..<n { right[i] += a * inPhase(direction, i) + b * across(direction, i) }
        }
        let x = system.solution(right)
        return Weights(real: Array(x[..<capsules]), imaginary: Array(x[capsules...]))
    }

    /// Returns the power of values, summed over the directions with their weights.
    func power(_ values: (real: [Double], imaginary: [Double])) -> Double {
        shares.indices.reduce(0) {
            $0 + shares[$1]
                * (values.real[$1] * values.real[$1] + values.imaginary[$1] * values.imaginary[$1])
        }
    }

    /// Returns the coefficient of unknown i in phase with the reference.
    private func inPhase(_ direction: Int, _ i: Int) -> Double {
        i < capsules ? real[direction * capsules + i] : -imaginary[direction * capsules + i - capsules]
    }

    /// Returns the coefficient of unknown i in quadrature with the reference.
    private func across(_ direction: Int, _ i: Int) -> Double {
        i < capsules ? imaginary[direction * capsules + i] : real[direction * capsules + i - capsules]
    }
}
