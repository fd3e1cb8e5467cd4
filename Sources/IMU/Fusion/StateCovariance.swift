/// The covariance of the twenty states of a `GyroscopeEstimator`, and what a Kalman filter does with it.
///
/// Symmetric, kept whole, rows of five vectors of four. The order of the states follows from that: the twelve that a
/// gyroscope's errors are (bias 0…2, matrix 3…11 by rows) fill three vectors; tilt (12, 13) and speed (14, 15) the
/// fourth; heading (16) and the accelerometer's bias (17…19) the fifth.
struct StateCovariance: Sendable {
    static let order = 20
    /// Where each kind of state begins.
    enum Index {
        static let bias = 0
        static let matrix = 3
        static let tilt = 12
        static let speed = 14
        static let heading = 16
        static let force = 17
    }
    typealias Row = (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)
    /// [state][5] vectors of four columns.
    private var vectors = [SIMD4<Double>](repeating: .zero, count: 100)

    subscript(row: Int, column: Int) -> Double {
        @inline(__always) get { vectors[5 * row + column >> 2][column & 3] }
        @inline(__always) set { vectors[5 * row + column >> 2][column & 3] = newValue }
    }

    /// Makes a state independent of all others, with this variance.
    mutating func begin(_ state: Int, variance: Double) {
        for other in 0..<Self.order {
            self[state, other] = 0
            self[other, state] = 0
        }
        self[state, state] = variance
    }

    /// Lets a state wander: adds to its variance.
    @inline(__always)
    mutating func add(_ variance: Double, to state: Int) { self[state, state] += variance }

    /// The variance of a combination of the bias's three states.
    func biasVariance(along axis: SIMD3<Double>) -> Double {
        var sum = 0.0
        for j in 0..<3 {
            for k in 0..<3 { sum += axis[j] * axis[k] * self[j, k] }
        }
        return max(0, sum)
    }

    /// How an interval's motion carries the states over: P ← A·P·Aᵀ, where A differs from 1 in five rows.
    struct Transition {
        /// What tilt x, tilt y and heading gain from each of the first twelve states.
        var turn: (Twelve, Twelve, Twelve)
        /// What speeds gain from tilt: −g times the interval; half of the tilt's own change acts on them too.
        var fall: Double
        /// What speeds gain from the accelerometer's bias, x and y, negative.
        var arm: (SIMD3<Double>, SIMD3<Double>)
    }

    /// Coefficients of the first twelve states.
    struct Twelve {
        var a: SIMD4<Double>
        var b: SIMD4<Double>
        var c: SIMD4<Double>
    }

    /// P ← A·P·Aᵀ. About 300 multiplications of vectors of four.
    mutating func carry(_ t: Transition) {
        vectors.withUnsafeMutableBufferPointer { p in
            // Sound: p has 100 vectors, rows are 0…19, columns 0…4.
            let base = p.baseAddress!
            // A·P: only five rows change; each is a sum of rows.
            for column in 0..<5 {
                var change = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
                for j in 0..<12 {
                    let row = base[5 * j + column]
                    change.0 += t.turn.0[j] * row
                    change.1 += t.turn.1[j] * row
                    change.2 += t.turn.2[j] * row
                }
                var slope = (SIMD4<Double>.zero, SIMD4<Double>.zero)
                for j in 0..<3 {
                    let row = base[5 * (Index.force + j) + column]
                    slope.0 += t.arm.0[j] * row
                    slope.1 += t.arm.1[j] * row
                }
                let tilt = (base[60 + column], base[65 + column])
                base[70 + column] += t.fall * (tilt.0 + change.0 / 2) - slope.0
                base[75 + column] += t.fall * (tilt.1 + change.1 / 2) - slope.1
                base[60 + column] = tilt.0 + change.0
                base[65 + column] = tilt.1 + change.1
                base[80 + column] += change.2
            }
            // (A·P)·Aᵀ: five columns change. Outside their own block they are the rows mirrored.
            let scalars = UnsafeMutableRawPointer(base).assumingMemoryBound(to: Double.self)
            for row in 12...16 {
                let r = scalars + 20 * row
                var change = (0.0, 0.0, 0.0)
                for j in 0..<12 {
                    change.0 += t.turn.0[j] * r[j]
                    change.1 += t.turn.1[j] * r[j]
                    change.2 += t.turn.2[j] * r[j]
                }
                let slope = (
                    t.arm.0.x * r[17] + t.arm.0.y * r[18] + t.arm.0.z * r[19],
                    t.arm.1.x * r[17] + t.arm.1.y * r[18] + t.arm.1.z * r[19]
                )
                for column in 0..<12 { scalars[20 * column + row] = r[column] }
                for column in 17..<20 { scalars[20 * column + row] = r[column] }
                r[14] += t.fall * (r[12] + change.0 / 2) - slope.0
                r[15] += t.fall * (r[13] + change.1 / 2) - slope.1
                r[12] += change.0
                r[13] += change.1
                r[16] += change.2
            }
        }
    }

    /// One scalar measurement: `column` is P·hᵀ, `variance` h·P·hᵀ + noise. P ← P − column·columnᵀ / variance.
    mutating func take(_ column: Row, variance: Double) {
        let gain = 1 / variance
        vectors.withUnsafeMutableBufferPointer { p in
            // Sound: as in `carry`.
            let base = p.baseAddress!
            for row in 0..<Self.order {
                let g = gain * Self.element(column, row)
                let r = base + 5 * row
                r[0] -= g * column.0
                r[1] -= g * column.1
                r[2] -= g * column.2
                r[3] -= g * column.3
                r[4] -= g * column.4
            }
        }
    }

    /// Σ h[j] · row of state `first` + j, for up to three states: P·hᵀ.
    @inline(__always)
    func column(at first: Int, _ h: SIMD3<Double>, count: Int) -> Row {
        vectors.withUnsafeBufferPointer { p in
            var sum: Row = (.zero, .zero, .zero, .zero, .zero)
            for j in 0..<count {
                let row = 5 * (first + j)
                sum.0 += h[j] * p[row]
                sum.1 += h[j] * p[row + 1]
                sum.2 += h[j] * p[row + 2]
                sum.3 += h[j] * p[row + 3]
                sum.4 += h[j] * p[row + 4]
            }
            return sum
        }
    }

    /// Which of the first twelve states.
    enum Part { case bias, matrix }

    /// (P·P₀⁻¹)^power · d within one part, 0 elsewhere: what of `d` is as unknown as at the start. `inverse`: the diagonal
    /// of P₀⁻¹.
    func unknown(_ d: Twelve, inverse: Twelve, of part: Part, power: Int) -> Twelve {
        let mask =
            part == .bias
            ? Twelve(a: SIMD4(1, 1, 1, 0), b: .zero, c: .zero)
            : Twelve(a: SIMD4(0, 0, 0, 1), b: SIMD4(repeating: 1), c: SIMD4(repeating: 1))
        let states = part == .bias ? Index.bias..<Index.matrix : Index.matrix..<Index.tilt
        return vectors.withUnsafeBufferPointer { p in
            var d = d * mask
            for _ in 0..<power {
                let x = d * inverse
                d = Twelve(a: .zero, b: .zero, c: .zero)
                for j in states { d = d + x[j] * Twelve(a: p[5 * j], b: p[5 * j + 1], c: p[5 * j + 2]) }
                d = d * mask
            }
            return d
        }
    }

    /// One element of a row.
    @inline(__always)
    static func element(_ row: Row, _ index: Int) -> Double {
        switch index >> 2 {
        case 0: row.0[index & 3]
        case 1: row.1[index & 3]
        case 2: row.2[index & 3]
        case 3: row.3[index & 3]
        default: row.4[index & 3]
        }
    }
}

extension StateCovariance.Twelve {
    @inline(__always)
    subscript(j: Int) -> Double {
        switch j >> 2 {
        case 0: a[j & 3]
        case 1: b[j & 3]
        default: c[j & 3]
        }
    }

    @inline(__always)
    static func + (x: Self, y: Self) -> Self { Self(a: x.a + y.a, b: x.b + y.b, c: x.c + y.c) }

    @inline(__always)
    static func - (x: Self, y: Self) -> Self { Self(a: x.a - y.a, b: x.b - y.b, c: x.c - y.c) }

    @inline(__always)
    static func * (x: Self, y: Self) -> Self { Self(a: x.a * y.a, b: x.b * y.b, c: x.c * y.c) }

    @inline(__always)
    static func * (k: Double, x: Self) -> Self { Self(a: k * x.a, b: k * x.b, c: k * x.c) }

    /// The sum of products with another twelve.
    @inline(__always)
    func dot(_ other: Self) -> Double { (a * other.a + b * other.b + c * other.c).sum() }
}
