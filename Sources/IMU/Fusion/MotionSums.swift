/// Integrals over the samples since an estimator's last correction, in the strapdown's frame.
struct MotionSums: Sendable {
    /// Duration of the integrals, seconds.
    private(set) var span = 0.0
    /// ∫ specific force, m/s.
    private(set) var force = SIMD3<Double>(0, 0, 0)
    /// Integrals of each entry of the orientation (body to the frame) times the raw rate: the rotation of the frame
    /// that each entry of the error matrix causes. The fourth number is the integral of the orientation's entry itself,
    /// s.
    private var (x, y, z) = (Row(), Row(), Row())

    /// The sums of one row of the orientation's matrix.
    private struct Row: Sendable {
        var (x, y, z) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)

        @inline(__always)
        mutating func add(_ row: SIMD3<Double>, times k: SIMD4<Double>) {
            x += row.x * k
            y += row.y * k
            z += row.z * k
        }
    }

    /// ∫ acceleration in the world, m/s.
    private(set) var push = SIMD3<Double>(0, 0, 0)
    /// ∫ squared acceleration, horizontal and total, m²/s³.
    private(set) var pushSquare = SIMD2<Double>(0, 0)

    /// Adds one sample. `orientation`: body to the strapdown's frame. `raw`: uncorrected rate. `force`: in the
    /// strapdown's frame. `push`: force in the world minus gravity. O(1), about 40 ns.
    @inline(__always)
    mutating func add(
        _ orientation: Matrix3, raw: SIMD3<Double>, force: SIMD3<Double>, push: SIMD3<Double>, step: Double
    ) {
        span += step
        self.force += force * step
        let weighted = SIMD4(raw, 1) * step
        x.add(orientation.x, times: weighted)
        y.add(orientation.y, times: weighted)
        z.add(orientation.z, times: weighted)
        self.push += push * step
        let horizontal = push.x * push.x + push.y * push.y
        pushSquare += SIMD2(horizontal, horizontal + push.z * push.z) * step
    }

    /// Returns ∫ orientation along a direction of the frame: the contribution of each body axis, s.
    @inline(__always)
    func turning(along r: SIMD3<Double>) -> SIMD3<Double> {
        let sums = self.sums(along: r)
        return SIMD3(sums.x.w, sums.y.w, sums.z.w)
    }

    /// Returns the rotation of the frame about a direction caused by bias and error matrix, times `sign`.
    @inline(__always)
    func sensitivity(along r: SIMD3<Double>, sign: Double) -> GyroscopeErrorVector {
        let (x, y, z) = sums(along: r * sign)
        return GyroscopeErrorVector(
            a: SIMD4(-x.w, -y.w, -z.w, x.x), b: SIMD4(x.y, x.z, y.x, y.y), c: SIMD4(y.z, z.x, z.y, z.z))
    }

    /// Returns the sums of each body axis along a direction of the frame.
    @inline(__always)
    private func sums(along r: SIMD3<Double>) -> (x: SIMD4<Double>, y: SIMD4<Double>, z: SIMD4<Double>) {
        (x.x * r.x + y.x * r.y + z.x * r.z, x.y * r.x + y.y * r.y + z.y * r.z, x.z * r.x + y.z * r.y + z.z * r.z)
    }
}
