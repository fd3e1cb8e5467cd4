/// The lower triangle whose square is a positive definite matrix, for solving equations with it (Golub & Van Loan,
/// "Matrix Computations", §4.2).
struct CholeskyFactor {
    private let size: Int
    /// Row-major `[row][column]`; the upper half is not used.
    private var lower: [Double]

    /// Of a matrix whose lower half is given, row-major.
    init(of matrix: [Double], size: Int) {
        self.size = size
        lower = matrix
        for j in 0..<size {
            for i in j..<size {
                var sum = lower[i * size + j]
                for k in 0..<j { sum -= lower[i * size + k] * lower[j * size + k] }
                lower[i * size + j] = i == j ? max(sum, 1e-300).squareRoot() : sum / lower[j * size + j]
            }
        }
    }

    /// The solution for a right side.
    func solve(_ right: [Double]) -> [Double] {
        var x = right
        for i in 0..<size {
            for k in 0..<i { x[i] -= lower[i * size + k] * x[k] }
            x[i] /= lower[i * size + i]
        }
        for i in stride(from: size - 1, through: 0, by: -1) {
            for k in stride(from: i + 1, to: size, by: 1) { x[i] -= lower[k * size + i] * x[k] }
            x[i] /= lower[i * size + i]
        }
        return x
    }
}
