/// Covariance of the twenty states of a `GyroscopeEstimator`, with the operations of a Kalman filter. The matrix is
/// symmetric; all entries are stored.
struct StateCovariance: Sendable {
    typealias Index = StateVector.Index
    private(set) var matrix = StateMatrix()

    subscript(row: Int, column: Int) -> Double {
        @inline(__always) get { matrix[row, column] }
        @inline(__always) set { matrix[row, column] = newValue }
    }

    /// Makes a state independent of all others, with a given variance.
    mutating func begin(_ state: Int, variance: Double) {
        for other in 0..<StateVector.count {
            self[state, other] = 0
            self[other, state] = 0
        }
        self[state, state] = variance
    }

    /// Multiplies a state's standard deviation, and with it its covariances.
    mutating func scale(_ state: Int, by factor: Double) {
        for other in 0..<StateVector.count where other != state {
            self[state, other] *= factor
            self[other, state] *= factor
        }
        self[state, state] *= factor * factor
    }

    /// Adds to the variance of a state.
    @inline(__always)
    mutating func add(_ variance: Double, to state: Int) { self[state, state] += variance }

    /// Returns the variance of the bias along an axis.
    func biasVariance(along axis: SIMD3<Double>) -> Double {
        var sum = 0.0
        for j in 0..<3 {
            for k in 0..<3 { sum += axis[j] * axis[k] * self[j, k] }
        }
        return max(0, sum)
    }

    /// P ← A·P·Aᵀ, where P is this covariance and A the transition.
    mutating func carry(_ t: StateTransition) { matrix.carrySymmetric(t) }

    /// Applies one scalar measurement: `column` is P·hᵀ, `variance` h·P·hᵀ + noise. P ← P − column·columnᵀ / variance.
    mutating func take(_ column: StateVector, variance: Double) { matrix.subtract(1 / variance, column, column) }

    /// Returns P·hᵀ for a measurement of up to four states.
    @inline(__always)
    func column(_ h: MeasuredStates) -> StateVector { h.combine(matrix) }

    /// Returns (P·P₀⁻¹)ⁿ · d, computed separately for bias and error matrix: the part of `d` that is as uncertain as at
    /// the start. n is 1 for the bias and `power` for the matrix. `inverse`: the diagonal of P₀⁻¹.
    func unknown(_ d: GyroscopeErrorVector, inverse: GyroscopeErrorVector, power: Int) -> GyroscopeErrorVector {
        var unknown = d
        for _ in 0..<power { unknown = matrix.combineMatrix(unknown * inverse) }
        let bias = matrix.combineBias(d.a * inverse.a)
        unknown.a = SIMD4(bias.x, bias.y, bias.z, unknown.a.w)
        return unknown
    }
}

/// The states in a scalar measurement: up to three adjacent ones, and the heading, each with its coefficient.
struct MeasuredStates: Sendable {
    /// Index of the first adjacent state.
    var first: Int
    /// Coefficients of the adjacent states; the first `count` are used.
    var coefficients: SIMD3<Double>
    var count: Int
    /// Coefficient of the heading.
    var heading = 0.0

    /// Returns Σ coefficient · row: Mᵀ·h.
    @inline(__always)
    func combine(_ matrix: StateMatrix) -> StateVector {
        var sum = StateVector()
        for j in 0..<count { sum = sum + coefficients[j] * matrix[first + j] }
        return heading == 0 ? sum : sum + heading * matrix[StateVector.Index.heading]
    }

    /// Returns Σ coefficient · column: M·h.
    func combineColumns(_ matrix: StateMatrix) -> StateVector {
        var sum = StateVector()
        for j in 0..<count { sum = sum + coefficients[j] * matrix.column(first + j) }
        return heading == 0 ? sum : sum + heading * matrix.column(StateVector.Index.heading)
    }

    /// Returns Σ coefficient · number: h·x.
    @inline(__always)
    func dot(_ x: StateVector) -> Double {
        var sum = heading == 0 ? 0 : heading * x[StateVector.Index.heading]
        for j in 0..<count { sum += coefficients[j] * x[first + j] }
        return sum
    }
}
