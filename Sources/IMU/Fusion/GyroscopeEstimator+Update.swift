import CRealtime
import Geometry

extension GyroscopeEstimator {
    /// One scalar measurement of `count` states from `first` on, with coefficients `h` (the first `count` count).
    ///
    /// Where it may not learn, matrix and accelerometer keep their values and covariances; all other covariances follow
    /// (Schmidt's consider filter). O(order²).
    mutating func update(
        at first: Int, _ h: SIMD3<Double>, count: Int, innovation: Double, noise: Double, learns: Bool
    ) {
        let n = Self.order
        let tilt: SIMD2<Double> = covariance.withUnsafeMutableBufferPointer { p in
            withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * n) { scratch in
                // Sound: p has n·n elements, scratch 2n, and every index below stays within them.
                let column = scratch.baseAddress!
                let gain = column + n
                for k in 0..<n {
                    var sum = 0.0
                    for j in 0..<count { sum += p[k * n + first + j] * h[j] }
                    column[k] = sum
                }
                var variance = noise
                for j in 0..<count { variance += column[first + j] * h[j] }
                let scale = 1 / variance
                for k in 0..<n { gain[k] = column[k] * scale }
                let free = learns ? n : Index.matrix
                for k in 0..<n {
                    // The considered states' block among themselves stays.
                    let considered = !learns && ((k >= Index.matrix && k < Index.speed) || k >= Index.force)
                    let g = gain[k]
                    let row = p.baseAddress! + k * n
                    if considered {
                        for j in 0..<free { row[j] -= g * column[j] }
                        for j in Index.speed..<Index.force { row[j] -= g * column[j] }
                    } else {
                        for j in 0..<n { row[j] -= g * column[j] }
                    }
                }
                bias += SIMD3(gain[2], gain[3], gain[4]) * innovation
                speed += SIMD2(gain[14], gain[15]) * innovation
                if learns {
                    matrix += Matrix3(
                        x: SIMD3(gain[5], gain[6], gain[7]) * innovation,
                        y: SIMD3(gain[8], gain[9], gain[10]) * innovation,
                        z: SIMD3(gain[11], gain[12], gain[13]) * innovation)
                    forceBias += SIMD3(gain[16], gain[17], gain[18]) * innovation
                }
                return SIMD2(gain[0], gain[1]) * innovation
            }
        }
        // Up was at (x, y, 1): the frame turns so that it is at (0, 0, 1) again.
        let turn = Quaternion(rotationVector: SIMD3(tilt.y, -tilt.x, 0))
        leveling = (turn * leveling).normalized
    }

    /// What is known of the bias: value and deviation of each axis.
    var knowledge: GyroscopeBias {
        var deviation = SIMD3<Double>(0, 0, 0)
        for axis in 0..<3 {
            deviation[axis] = max(0, covariance[(Index.bias + axis) * (Self.order + 1)]).squareRoot()
        }
        return GyroscopeBias(value: bias, deviation: deviation)
    }

    /// Variance of the bias along a unit vector of the body, (rad/s)².
    func biasVariance(along axis: SIMD3<Double>) -> Double {
        var sum = 0.0
        for j in 0..<3 {
            for k in 0..<3 { sum += axis[j] * axis[k] * covariance[(Index.bias + j) * Self.order + Index.bias + k] }
        }
        return max(0, sum)
    }

    /// Takes the mean rate of a body at rest over the last `span` seconds for its bias: across the vertical at once,
    /// about it as the gate allows. `raw`: mean of the gyroscope, less `common` about `up` (unit, body axes). Says
    /// whether the body is at rest; it is not while it turns by more than 2°/s.
    mutating func rest(
        raw: SIMD3<Double>, up: SIMD3<Double>, common: Double, span: Double, gate: inout VerticalGate
    ) -> Bool {
        // 0.1°/s√s: what heads sway by. The common rate is known to 1.5 %, the scale of the other's gyroscope.
        let noise = 0.1 * Double.pi / 180 * (0.1 * Double.pi / 180) / span
        let slowest = 2 * Double.pi / 180
        var difference = dot(up, rate(raw))
        let turns = abs(difference) > slowest
        if !turns {
            let first = abs(up.x) < 0.8 ? SIMD3<Double>(1, 0, 0) : SIMD3<Double>(0, 1, 0)
            let side = cross(up, first)
            let across = side / dot(side, side).squareRoot()
            for axis in [across, cross(up, across)] {
                measure(axis, innovation: dot(axis, rate(raw)), noise: noise)
            }
            difference = dot(up, rate(raw))
        }
        let shared = 0.015 * common
        let deviation = (biasVariance(along: up) + 1e-10).squareRoot()
        switch gate.judge(dot(up, bias) + difference, difference: difference, deviation: deviation, span: span) {
        case .fits: break
        case .opens: widen(along: up, by: difference * difference)
        case .waits: return !turns
        }
        measure(up, innovation: difference, noise: noise + shared * shared)
        return !turns
    }

    /// The bias along `axis` was `innovation` off.
    private mutating func measure(_ axis: SIMD3<Double>, innovation: Double, noise: Double) {
        update(at: Index.bias, axis, count: 3, innovation: innovation, noise: noise, learns: !ride.isRiding)
    }

    /// Makes the bias less known along `axis`.
    private mutating func widen(along axis: SIMD3<Double>, by variance: Double) {
        for j in 0..<3 {
            for k in 0..<3 {
                covariance[(Index.bias + j) * Self.order + Index.bias + k] += variance * axis[j] * axis[k]
            }
        }
    }
}
