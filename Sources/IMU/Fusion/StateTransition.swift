/// Transition of the states of a `GyroscopeEstimator` over an interval of motion: x ← A·x. A differs from the identity
/// in five rows.
struct StateTransition: Sendable {
    /// Gains of tilt x, tilt y and heading from each of the first twelve states.
    var turn: (GyroscopeErrorVector, GyroscopeErrorVector, GyroscopeErrorVector)
    /// Gain of the speeds from the tilt: −g times the interval. Half of the tilt's own change also acts on the speeds.
    var fall: Double
    /// Gains of the x and y speeds from the accelerometer's bias, with reversed sign: they are subtracted.
    var arm: (SIMD3<Double>, SIMD3<Double>)

    /// Returns A·x.
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
