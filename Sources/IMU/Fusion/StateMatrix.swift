/// A matrix of twenty by twenty numbers: covariances of the states of one or two `GyroscopeEstimator`s; rows of five
/// vectors of four.
struct StateMatrix: Sendable {
    typealias Index = StateVector.Index
    /// Vectors of four columns, five per row.
    private var vectors = [SIMD4<Double>](repeating: .zero, count: 5 * StateVector.count)

    subscript(row: Int, column: Int) -> Double {
        @inline(__always) get { vectors[5 * row + column >> 2][column & 3] }
        @inline(__always) set { vectors[5 * row + column >> 2][column & 3] = newValue }
    }

    subscript(row: Int) -> StateVector {
        @inline(__always) get {
            vectors.withUnsafeBufferPointer { p in
                // Sound: rows are 0…19.
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

    /// M ← A·M. Only five rows change, each by a sum of rows. About 200 multiplications of vectors of four.
    mutating func carryRows(_ t: StateTransition) {
        vectors.withUnsafeMutableBufferPointer { p in
            // Sound: p has 100 vectors, rows are 0…19, columns 0…4.
            let base = p.baseAddress!
            for column in 0..<5 {
                var change = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
                for j in 0..<Index.tilt {
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
                let (tilt, speed) = (base + 5 * Index.tilt + column, base + 5 * Index.speed + column)
                speed[0] += t.fall * (tilt[0] + change.0 / 2) - slope.0
                speed[5] += t.fall * (tilt[5] + change.1 / 2) - slope.1
                tilt[0] += change.0
                tilt[5] += change.1
                base[5 * Index.heading + column] += change.2
            }
        }
    }

    /// M ← M·Aᵀ.
    mutating func carryColumns(_ t: StateTransition) {
        for row in 0..<StateVector.count { self[row] = t(self[row]) }
    }

    /// M ← M − k·x·yᵀ.
    mutating func subtract(_ k: Double, _ x: StateVector, _ y: StateVector) {
        vectors.withUnsafeMutableBufferPointer { p in
            // Sound: as in `carryRows`.
            let base = p.baseAddress!
            for row in 0..<StateVector.count {
                let g = k * x[row]
                let r = base + 5 * row
                r[0] -= g * y.errors.a
                r[1] -= g * y.errors.b
                r[2] -= g * y.errors.c
                r[3] -= g * y.motion
                r[4] -= g * y.rest
            }
        }
    }
}
