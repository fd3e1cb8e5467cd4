import Glibc

/// The Cholesky factor of a symmetric positive matrix: solves systems of equations in double precision.
struct CholeskyFactor: Sendable {
    /// Rows and columns.
    let count: Int
    /// The lower triangle, row by row.
    private let factor: [Double]

    /// Factorises the matrix whose lower triangle `value` gives by row and column. O(count³).
    init(count: Int, value: (Int, Int) -> Double) {
        var square = [Double](repeating: 0, count: count * count)
        square.withUnsafeMutableBufferPointer { a in
            for row in 0..<count {
                for column in 0...row {
                    var sum = value(row, column)
                    for k in 0..<column { sum -= a[row * count + k] * a[column * count + k] }
                    a[row * count + column] =
                        row == column ? max(1e-300, sum).squareRoot() : sum / a[column * count + column]
                }
            }
        }
        self.count = count
        factor = square
    }

    /// Replaces the right side of a system by its solution. O(count²).
    func solve(_ values: inout [Double]) {
        precondition(values.count == count)
        factor.withUnsafeBufferPointer { a in
            for row in 0..<count {
                var sum = values[row]
                for k in 0..<row { sum -= a[row * count + k] * values[k] }
                values[row] = sum / a[row * count + row]
            }
            for row in (0..<count).reversed() {
                let value = values[row] / a[row * count + row]
                values[row] = value
                for k in 0..<row { values[k] -= a[row * count + k] * value }
            }
        }
    }
}
