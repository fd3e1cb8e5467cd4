import Geometry

/// Sine and cosine of small angles by their Taylor series. They are quicker than the general functions and as exact,
/// since the omitted terms are below the rounding of 1.
enum SmallAngle {
    /// Greatest angle, radians.
    static let limit = 0.125

    /// Returns the cosine of an angle from its square.
    @inline(__always)
    static func cosine(_ x: Double) -> Double {
        1 - x * (1 / 2 - x * (1 / 24 - x * (1 / 720 - x * (1 / 40320 - x * (1 / 3_628_800)))))
    }

    /// Returns the sine of an angle divided by the angle (sinc), from its square.
    @inline(__always)
    static func sinc(_ x: Double) -> Double {
        1 - x * (1 / 6 - x * (1 / 120 - x * (1 / 5040 - x * (1 / 362_880))))
    }
}

extension Quaternion {
    /// Creates the rotation of `init(rotationVector:)`; quicker for the small rotation between two samples.
    @inline(__always)
    init(smallTurn v: SIMD3<Double>) {
        // Square of half the angle.
        let x = dot(v, v) / 4
        guard x <= SmallAngle.limit * SmallAngle.limit else {
            self.init(rotationVector: v)
            return
        }
        let k = SmallAngle.sinc(x) / 2
        self.init(w: SmallAngle.cosine(x), x: v.x * k, y: v.y * k, z: v.z * k)
    }
}
