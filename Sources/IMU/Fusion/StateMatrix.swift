/// A matrix of twenty by twenty numbers: covariances of the states of one or two `GyroscopeEstimator`s. A row consists
/// of five vectors of four numbers.
struct StateMatrix: Sendable {
    typealias Index = StateVector.Index
    /// Vectors of four adjacent columns, five per row.
    private var vectors = [SIMD4<Double>](repeating: .zero, count: 5 * StateVector.count)

    subscript(row: Int, column: Int) -> Double {
        @inline(__always) get { vectors[5 * row + column >> 2][column & 3] }
        @inline(__always) set { vectors[5 * row + column >> 2][column & 3] = newValue }
    }

    subscript(row: Int) -> StateVector {
        @inline(__always) get {
            vectors.withUnsafeBufferPointer { p in
                // In bounds: rows are 0…19.
                let r = p.baseAddress! + 5 * row
                return StateVector(
                    errors: GyroscopeErrorVector(a: r[0], b: r[1], c: r[2]), motion: r[3], rest: r[4])
            }
        }
        @inline(__always) set {
            vectors.withUnsafeMutableBufferPointer { p in
                let r = p.baseAddress! + 5 * row
                (r[0], r[1], r[2]) = (newValue.errors.a, newValue.errors.b, newValue.errors.c)
                (r[3], r[4]) = (newValue.motion, newValue.rest)
            }
        }
    }

    /// Returns a column.
    func column(_ column: Int) -> StateVector {
        func four(_ first: Int) -> SIMD4<Double> {
            SIMD4(self[first, column], self[first + 1, column], self[first + 2, column], self[first + 3, column])
        }
        return StateVector(
            errors: GyroscopeErrorVector(a: four(0), b: four(4), c: four(8)), motion: four(12), rest: four(16))
    }

    /// M ← A·M, where M is this matrix and A the transition. Only five rows change, each by a sum of rows. About 200
    /// multiplications of four-element vectors.
    mutating func carryRows(_ t: StateTransition) {
        vectors.withUnsafeMutableBufferPointer { p in
            // In bounds: p has 100 vectors, rows are 0…19, columns 0…4.
            let base = p.baseAddress!
            for column in 0..<5 {
                let errors = base + column
                let change = (
                    Self.sum(errors, times: t.turn.0), Self.sum(errors, times: t.turn.1),
                    Self.sum(errors, times: t.turn.2)
                )
                var slope = (SIMD4<Double>.zero, SIMD4<Double>.zero)
                for j in 0..<3 {
                    let row = base[5 * (Index.force + j) + column]
                    slope.0 += t.arm.0[j] * row
                    slope.1 += t.arm.1[j] * row
                }
                let (tilt, speed) = (base + 5 * Index.tilt + column, base + 5 * Index.speed + column)
                speed[0] += t.fall * (tilt[0] + change.0 / 2) - slope.0
                speed[5] += t.fall * (tilt[5] + change.1 / 2) - slope.1
                tilt[0] += change.0
                tilt[5] += change.1
                base[5 * Index.heading + column] += change.2
            }
        }
    }

    /// Returns Σ k[j] · vector j of one column of vectors.
    @inline(__always)
    private static func sum(
        _ vectors: UnsafePointer<SIMD4<Double>>, times k: GyroscopeErrorVector
    ) -> SIMD4<Double> {
        var sum = SIMD4<Double>.zero
        for j in 0..<4 { sum += k.a[j] * vectors[5 * j] }
        for j in 0..<4 { sum += k.b[j] * vectors[5 * (4 + j)] }
        for j in 0..<4 { sum += k.c[j] * vectors[5 * (8 + j)] }
        return sum
    }

    /// M ← A·M·Aᵀ for a symmetric M. About 300 multiplications of four-element vectors.
    mutating func carrySymmetric(_ t: StateTransition) {
        carryRows(t)
        mirrorMotion()
        for row in Index.tilt..<Index.force { self[row] = t(self[row]) }
    }

    /// Copies the rows of tilt, speed and heading to the columns of these states, in the rows of all other states.
    private mutating func mirrorMotion() {
        vectors.withUnsafeMutableBufferPointer { p in
            // In bounds: as in `carryRows`.
            let base = p.baseAddress!
            func copy(_ states: Range<Int>, _ column: Int) {
                let r = base + 5 * Index.tilt + column
                let (tiltX, tiltY, speedX, speedY, heading) = (r[0], r[5], r[10], r[15], r[20])
                for state in states {
                    let j = state & 3
                    base[5 * state + 3] = SIMD4(tiltX[j], tiltY[j], speedX[j], speedY[j])
                    base[5 * state + 4].x = heading[j]
                }
            }
            copy(0..<4, 0)
            copy(4..<8, 1)
            copy(8..<Index.tilt, 2)
            copy(Index.force..<StateVector.count, 4)
        }
    }

    /// Returns Σ x[j] · row j over the bias, columns 0…3.
    func combineBias(_ x: SIMD4<Double>) -> SIMD4<Double> { x.x * vectors[0] + x.y * vectors[5] + x.z * vectors[10] }

    /// Returns Σ x[j] · row j over the error matrix, columns 0…11.
    func combineMatrix(_ x: GyroscopeErrorVector) -> GyroscopeErrorVector {
        vectors.withUnsafeBufferPointer { p in
            // In bounds: as in `carryRows`.
            let base = p.baseAddress!
            func errors(_ row: Int) -> GyroscopeErrorVector {
                GyroscopeErrorVector(a: base[5 * row], b: base[5 * row + 1], c: base[5 * row + 2])
            }
            var sum = x.a.w * errors(3)
            for j in 0..<4 { sum = sum + x.b[j] * errors(4 + j) }
            for j in 0..<4 { sum = sum + x.c[j] * errors(8 + j) }
            return sum
        }
    }

    /// M ← M·Aᵀ.
    mutating func carryColumns(_ t: StateTransition) {
        for row in 0..<StateVector.count { self[row] = t(self[row]) }
    }

    /// M ← M − k·x·yᵀ.
    mutating func subtract(_ k: Double, _ x: StateVector, _ y: StateVector) {
        vectors.withUnsafeMutableBufferPointer { p in
            // In bounds: as in `carryRows`.
            let base = p.baseAddress!
            func subtract(_ x: SIMD4<Double>, from first: Int) {
                for j in 0..<4 {
                    let g = k * x[j]
                    let r = base + 5 * (first + j)
                    r[0] -= g * y.errors.a
                    r[1] -= g * y.errors.b
                    r[2] -= g * y.errors.c
                    r[3] -= g * y.motion
                    r[4] -= g * y.rest
                }
            }
            subtract(x.errors.a, from: 0)
            subtract(x.errors.b, from: 4)
            subtract(x.errors.c, from: 8)
            subtract(x.motion, from: 12)
            subtract(x.rest, from: 16)
        }
    }
}
