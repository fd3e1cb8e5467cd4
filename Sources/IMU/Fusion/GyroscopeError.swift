/// Errors of a gyroscope: true rate = raw + matrix · raw − bias.
struct GyroscopeError: Sendable {
    /// Output at rest, body axes, rad/s.
    var bias: SIMD3<Double>
    /// Corrections of scale (diagonal) and misalignment of the gyroscope's axes.
    var matrix = Matrix3.zero

    /// Creates errors without scale and misalignment.
    init(bias: SIMD3<Double> = SIMD3(0, 0, 0)) { self.bias = bias }

    /// Creates errors from bias and matrix by rows.
    init(_ t: GyroscopeErrorVector) {
        bias = SIMD3(t.a.x, t.a.y, t.a.z)
        matrix = Matrix3(
            x: SIMD3(t.a.w, t.b.x, t.b.y), y: SIMD3(t.b.z, t.b.w, t.c.x), z: SIMD3(t.c.y, t.c.z, t.c.w))
    }

    /// Returns the corrected rate of a raw rate, rad/s.
    @inline(__always)
    func rate(_ raw: SIMD3<Double>) -> SIMD3<Double> { raw + matrix * raw - bias }

    /// Bias and matrix by rows, in the order of the estimator's states.
    var vector: GyroscopeErrorVector {
        GyroscopeErrorVector(
            a: SIMD4(bias.x, bias.y, bias.z, matrix.x.x), b: SIMD4(matrix.x.y, matrix.x.z, matrix.y.x, matrix.y.y),
            c: SIMD4(matrix.y.z, matrix.z.x, matrix.z.y, matrix.z.z))
    }
}
