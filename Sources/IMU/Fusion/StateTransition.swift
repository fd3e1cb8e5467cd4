/// How an interval's motion carries the states of a `GyroscopeEstimator` over: x ← A·x, where A differs from 1 in five
/// rows.
struct StateTransition: Sendable {
    /// What tilt x, tilt y and heading gain from each of the first twelve states.
    var turn: (GyroscopeErrorVector, GyroscopeErrorVector, GyroscopeErrorVector)
    /// What speeds gain from tilt: −g times the interval; half of the tilt's own change acts on them too.
    var fall: Double
    /// What speeds lose by the accelerometer's bias, x and y.
    var arm: (SIMD3<Double>, SIMD3<Double>)

    /// A·x.
    @inline(__always)
    func callAsFunction(_ x: StateVector) -> StateVector {
        let change = SIMD2(turn.0.dot(x.errors), turn.1.dot(x.errors))
        let force = SIMD3(x.rest.y, x.rest.z, x.rest.w)
        let slope = SIMD2(dot(arm.0, force), dot(arm.1, force))
        var out = x
        let tilt = x.motion.lowHalf
        out.motion.lowHalf = tilt + change
        out.motion.highHalf += fall * (tilt + change / 2) - slope
        out.rest.x += turn.2.dot(x.errors)
        return out
    }
}
