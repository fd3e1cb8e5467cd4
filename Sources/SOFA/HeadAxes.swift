/// The head's axes in room coordinates: rows of the matrix that turns room vectors to head vectors.
struct HeadAxes {
    var front: SIMD3<Double>
    var left: SIMD3<Double>
    var up: SIMD3<Double>

    /// Head and room axes coincide.
    static let facingFront = HeadAxes(front: SIMD3(1, 0, 0), left: SIMD3(0, 1, 0), up: SIMD3(0, 0, 1))

    private init(front: SIMD3<Double>, left: SIMD3<Double>, up: SIMD3<Double>) {
        self.front = front
        self.left = left
        self.up = up
    }

    /// From view and up (made orthogonal to the view); nil where one is zero or they are parallel.
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

    /// A head vector in room coordinates.
    func toRoom(_ v: SIMD3<Double>) -> SIMD3<Double> { front * v.x + left * v.y + up * v.z }

    /// A room vector in head coordinates.
    func toHead(_ v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((front * v).sum(), (left * v).sum(), (up * v).sum())
    }
}
