/// Cholesky factor of a symmetric positive-definite matrix, for solving systems of linear equations in double precision
/// (Golub & Van Loan, Matrix Computations, §4.2). Must not be used on the audio thread.
package struct CholeskyFactor: Sendable {
    /// Number of rows and of columns.
    package let count: Int
    /// The factor, row by row. Its lower triangle is used; the upper one is not.
    private let lower: [Double]

    /// Factorises a matrix, given row by row. Only its lower triangle is read. Diagonal elements of the factor are at
    /// least 10⁻¹⁵⁰. Cost: O(count³).
    package init(lower matrix: consuming [Double], count: Int) {
        precondition(matrix.count == count * count)
        var matrix = matrix
        matrix.withUnsafeMutableBufferPointer { a in
            for row in 0..<count {
                for column in 0...row {
                    var sum = a[row * count + column]
                    for k in 0..<column { sum -= a[row * count + k] * a[column * count + k] }
                    a[row * count + column] =
                        row == column ? max(1e-300, sum).squareRoot() : sum / a[column * count + column]
                }
            }
        }
        self.count = count
        lower = matrix
    }

    /// Replaces the right-hand side of a system, `count` values, by the solution. O(count²).
    package func solve(_ values: inout [Double]) {
        precondition(values.count == count)
        values.withUnsafeMutableBufferPointer { x in
            lower.withUnsafeBufferPointer { a in
                for row in 0..<count {
                    var sum = x[row]
                    for k in 0..<row { sum -= a[row * count + k] * x[k] }
                    x[row] = sum / a[row * count + row]
                }
                for row in (0..<count).reversed() {
                    var sum = x[row]
                    for k in (row + 1)..<count { sum -= a[k * count + row] * x[k] }
                    x[row] = sum / a[row * count + row]
                }
            }
        }
    }

    /// Returns the solution for a right-hand side of `count` values. O(count²).
    package func solution(_ right: [Double]) -> [Double] {
        var values = right
        solve(&values)
        return values
    }
}
