import Geometry
import Glibc

/// The head's axes in room coordinates: rows of the matrix that converts room vectors to head vectors.
struct HeadAxes: Equatable {
    var front: SIMD3<Double>
    var left: SIMD3<Double>
    var up: SIMD3<Double>

    /// Axes of a head that equal those of the room.
    static let facingFront = HeadAxes(front: SIMD3(1, 0, 0), left: SIMD3(0, 1, 0), up: SIMD3(0, 0, 1))

    private init(front: SIMD3<Double>, left: SIMD3<Double>, up: SIMD3<Double>) {
        self.front = front
        self.left = left
        self.up = up
    }

    /// Creates axes from view and up; up is made orthogonal to the view. Nil if one of them is zero, or if they are
    /// parallel.
    init?(view: SIMD3<Double>, up: SIMD3<Double>) {
        let viewLength = (view * view).sum().squareRoot()
        guard viewLength > 1e-9 else { return nil }
        let front = view / viewLength
        let upright = up - front * (up * front).sum()
        let upLength = (upright * upright).sum().squareRoot()
        guard upLength > 1e-6 else { return nil }
        let top = upright / upLength
        self.front = front
        self.up = top
        left = SIMD3(
            top.y * front.z - top.z * front.y, top.z * front.x - top.x * front.z, top.x * front.y - top.y * front.x)
    }

    /// Returns a head vector in room coordinates.
    func toRoom(_ v: SIMD3<Double>) -> SIMD3<Double> { front * v.x + left * v.y + up * v.z }

    /// Returns the direction of a room vector relative to the head. The vector must not be 0.
    ///
    /// The rotation causes rounding errors. If the head is rotated, azimuth (0…360°) and elevation are therefore
    /// rounded to 1e-10°. A set measured on a turntable then has exactly the same directions as the same set stored by
    /// SourcePosition in round numbers of degrees.
    func direction(ofRoom v: SIMD3<Double>) -> Direction<Head> {
        func normalised(_ v: SIMD3<Double>) -> Direction<Head> { Direction(unit: v / (v * v).sum().squareRoot()) }
        guard self != .facingFront else { return normalised(v) }
        let seen = toHead(v)
        func degrees(_ radians: Double) -> Double { (radians * 180 / .pi * 1e10).rounded() / 1e10 }
        let azimuth = degrees(atan2(seen.y, seen.x))
        let elevation = degrees(atan2(seen.z, (seen.x * seen.x + seen.y * seen.y).squareRoot()))
        let rounded = Direction<Head>(
            azimuth: (azimuth < 0 ? azimuth + 360 : azimuth) * (.pi / 180), elevation: elevation * (.pi / 180))
        return normalised(rounded.unit)
    }

    /// Returns a room vector in head coordinates.
    func toHead(_ v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((front * v).sum(), (left * v).sum(), (up * v).sum())
    }
}
