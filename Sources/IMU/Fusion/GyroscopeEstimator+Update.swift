import CRealtime
import Geometry

extension GyroscopeEstimator {
    /// The bias in use, with the standard deviation of each axis.
    var knowledge: GyroscopeBias {
        var deviation = SIMD3<Double>(0, 0, 0)
        for axis in 0..<3 { deviation[axis] = max(0, covariance[axis, axis]).squareRoot() }
        return GyroscopeBias(value: used.bias, deviation: deviation)
    }

    /// Measures the bias as the mean rate of a body at rest over the last `span` seconds. The horizontal components are
    /// used at once if the body is at rest, the vertical component when `gate` permits it. `raw`: mean rate of the
    /// gyroscope minus `common` about `up` (unit vector, body axes). `restVariance`: variance of `raw` over one second,
    /// (rad/s)²·s. `sway`: variance that sway causes in a mean rate over a short time, (rad/s)². Returns whether the
    /// body is at rest: it turns about the vertical by at most 2°/s.
    mutating func rest(
        raw: SIMD3<Double>, up: SIMD3<Double>, common: Double, span: Double, restVariance: Double,
        sway: Double, gate: inout VerticalGate
    ) -> Bool {
        doubtRests(sway: sway)
        // The common rate is accurate to 1.5 %, the scale error of the other gyroscope.
        let noise = restVariance / span
        let slowest = 2 * Double.pi / 180
        var difference = dot(up, learnt.rate(raw))
        let turns = abs(difference) > slowest
        if !turns {
            let first = abs(up.x) < 0.8 ? SIMD3<Double>(1, 0, 0) : SIMD3<Double>(0, 1, 0)
            let side = cross(up, first)
            let across = side / dot(side, side).squareRoot()
            for axis in [across, cross(up, across)] {
                measure(axis, innovation: dot(axis, learnt.rate(raw)), noise: noise)
            }
            difference = dot(up, learnt.rate(raw))
        }
        let shared = 0.015 * common
        let deviation = (covariance.biasVariance(along: up) + sway + 1e-10).squareRoot()
        let vertical = dot(up, learnt.bias)
        // A turn about the vertical changes the horizontal components only by misalignment: 2 % of the turn.
        let (shown, level) = (abs(dot(up, raw)), raw - up * dot(up, raw))
        let across = max(0, dot(level, level).squareRoot() - 0.02 * shown)
        let verdict = gate.judge(
            vertical + difference, up: up, difference: difference, deviation: deviation, across: across, span: span)
        switch verdict {
        case .fits: break
        case .opens:
            doubtHeading(gate.settle(vertical + difference, up: up))
            widen(along: up, by: difference * difference)
        case .waits: return !turns
        }
        measure(up, innovation: difference, noise: noise + shared * shared)
        return !turns
    }

    /// Returns whether a mean rate may be the bias: it differs from the estimate by at most 0.15°/s or three standard
    /// deviations. A vehicle that shakes may be in a slow turn, which must not count as bias.
    func mayBeBias(_ raw: SIMD3<Double>) -> Bool {
        let difference = learnt.rate(raw)
        let size = dot(difference, difference).squareRoot()
        guard size > 0.15 * Double.pi / 180 else { return true }
        return size * size < 9 * covariance.biasVariance(along: difference / size)
    }

    /// Increases the variance of the bias once, when slow sway is first measured, because sway was taken for bias until
    /// then. The variance is multiplied by the ratio of the variance of sway to the variance of rests, up to the
    /// initial variance.
    private mutating func doubtRests(sway: Double) {
        guard sway > 0, !hasSeenSway else { return }
        hasSeenSway = true
        let ratio = max(1, sway / (options.restNoise * options.restNoise))
        for axis in 0..<3 {
            let most = priorVariance[axis] / max(1e-12, covariance[axis, axis])
            covariance.scale(Index.bias + axis, by: max(1, min(ratio, most)).squareRoot())
        }
    }

    /// Corrects the bias along `axis` by an innovation, rad/s.
    private mutating func measure(_ axis: SIMD3<Double>, innovation: Double, noise: Double) {
        update(
            MeasuredStates(first: Index.bias, coefficients: axis, count: 3), innovation: innovation, noise: noise)
    }
}
