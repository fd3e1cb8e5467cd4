import Geometry

/// A 3×3 matrix by rows.
package struct Matrix3: Hashable, Sendable {
    var x: SIMD3<Double>
    var y: SIMD3<Double>
    var z: SIMD3<Double>

    @inline(__always)
    init(x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>) {
        self.x = x
        self.y = y
        self.z = z
    }

    static let zero = Matrix3(x: .zero, y: .zero, z: .zero)

    /// Creates the rotation matrix of a unit quaternion.
    @inline(__always)
    init(_ q: Quaternion) {
        let (w, x, y, z) = (q.w, q.x, q.y, q.z)
        self.x = SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y))
        self.y = SIMD3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x))
        self.z = SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    }

    /// Creates `k` times the identity.
    @inline(__always)
    init(diagonal k: Double) { self.init(x: SIMD3(k, 0, 0), y: SIMD3(0, k, 0), z: SIMD3(0, 0, k)) }

    /// Returns the row with an index 0…2.
    @inline(__always)
    subscript(row: Int) -> SIMD3<Double> { row == 0 ? x : row == 1 ? y : z }

    @inline(__always)
    var trace: Double { x.x + y.y + z.z }

    /// M ← M − a·bᵀ.
    @inline(__always)
    mutating func subtract(_ a: SIMD3<Double>, _ b: SIMD3<Double>) {
        x -= b * a.x
        y -= b * a.y
        z -= b * a.z
    }

    @inline(__always)
    static func * (m: Matrix3, v: SIMD3<Double>) -> SIMD3<Double> { SIMD3(dot(m.x, v), dot(m.y, v), dot(m.z, v)) }

    @inline(__always)
    static func += (m: inout Matrix3, n: Matrix3) {
        m.x += n.x
        m.y += n.y
        m.z += n.z
    }

    @inline(__always)
    static func * (m: Matrix3, k: Double) -> Matrix3 { Matrix3(x: m.x * k, y: m.y * k, z: m.z * k) }
}

@inline(__always)
func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }

@inline(__always)
func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

extension Quaternion {
    /// Creates the rotation of `init(leveling:)` multiplied by an arbitrary factor; the result must be normalised.
    /// `length`: length of `v`.
    @inline(__always)
    init(towardsLevel v: SIMD3<Double>, length: Double) {
        guard length > 1e-9 else {
            self = .identity
            return
        }
        // For a unit vector v, the quaternion with real part 1 + v·z and vector part v × z rotates v to z. A vector
        // straight down is rotated about x.
        let w = length + v.z
        self = w > 2e-14 * length ? Quaternion(w: w, x: v.y, y: -v.x, z: 0) : Quaternion(w: 0, x: 1, y: 0, z: 0)
    }

    /// Creates the shortest rotation that makes `v` point up; the identity if `v` vanishes.
    init(leveling v: SIMD3<Double>) {
        self = Quaternion(towardsLevel: v, length: dot(v, v).squareRoot()).normalized
    }
}
