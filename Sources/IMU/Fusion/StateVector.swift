/// Twenty numbers, one for each state of a `GyroscopeEstimator`, stored as five vectors of four.
///
/// The vectors determine the order. The twelve states of the gyroscope's errors (bias 0…2, matrix 3…11 by rows) fill
/// three vectors. Tilt (12, 13) and speed (14, 15) fill the fourth, heading (16) and accelerometer's bias (17…19) the
/// fifth.
struct StateVector: Sendable {
    static let count = 20
    /// First index of each kind of state.
    enum Index {
        static let bias = 0
        static let matrix = 3
        static let tilt = 12
        static let speed = 14
        static let heading = 16
        static let force = 17
    }

    /// Bias and error matrix.
    var errors = GyroscopeErrorVector()
    /// Tilt and speed.
    var motion = SIMD4<Double>.zero
    /// Heading and the accelerometer's bias.
    var rest = SIMD4<Double>.zero

    @inline(__always)
    subscript(index: Int) -> Double {
        switch index >> 2 {
        case 0...2: errors[index]
        case 3: motion[index & 3]
        default: rest[index & 3]
        }
    }

    @inline(__always)
    static func + (x: Self, y: Self) -> Self {
        Self(errors: x.errors + y.errors, motion: x.motion + y.motion, rest: x.rest + y.rest)
    }

    @inline(__always)
    static func * (k: Double, x: Self) -> Self {
        Self(errors: k * x.errors, motion: k * x.motion, rest: k * x.rest)
    }

    @inline(__always)
    static func -= (x: inout Self, y: Self) { x = x + -1 * y }

    /// Returns the scalar product with another vector.
    @inline(__always)
    func dot(_ other: Self) -> Double {
        errors.dot(other.errors) + (motion * other.motion + rest * other.rest).sum()
    }
}

/// The first twelve numbers of a state vector: bias, and the error matrix by rows.
struct GyroscopeErrorVector: Sendable {
    var a = SIMD4<Double>.zero
    var b = SIMD4<Double>.zero
    var c = SIMD4<Double>.zero

    @inline(__always)
    subscript(index: Int) -> Double {
        switch index >> 2 {
        case 0: a[index & 3]
        case 1: b[index & 3]
        default: c[index & 3]
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

    /// Returns the scalar product with another vector.
    @inline(__always)
    func dot(_ other: Self) -> Double { (a * other.a + b * other.b + c * other.c).sum() }
}
