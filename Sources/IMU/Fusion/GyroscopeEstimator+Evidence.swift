/// The share of the estimate that is used, and the variance of the heading.
extension GyroscopeEstimator {
    /// Sets the used errors: of the estimate beyond the prior, the share 1 − (P·P₀⁻¹)ⁿ, with P the covariance now and
    /// P₀ that at the start. Along a direction without evidence, gravity and a slightly wrong model may have moved the
    /// mean; that stays unused. A direction with full evidence counts in full. n is 1 for the bias, whose share then
    /// grows as its variance falls, and 4 for the matrix, which is needed before its variance has fallen completely.
    mutating func use() {
        let prior = GyroscopeError(bias: priorBias).vector
        let beyond = learnt.vector - prior
        let unknown = covariance.unknown(beyond, inverse: inversePrior, power: 4)
        used = GyroscopeError(prior + (beyond - unknown))
    }

    /// P₀⁻¹ of the first twelve states, which are independent at the start.
    private var inversePrior: GyroscopeErrorVector {
        let (s, m) = (scaleWeight, misalignmentWeight)
        let bias = 1 / priorVariance
        return GyroscopeErrorVector(
            a: SIMD4(bias.x, bias.y, bias.z, s), b: SIMD4(m, m, m, s), c: SIMD4(m, m, m, s))
    }

    /// Adds to the variance of the heading, rad².
    mutating func doubtHeading(_ variance: Double) { covariance.add(variance, to: Index.heading) }

    /// Variance of the heading, rad²: that of the covariance, and the square of the known error that is not used.
    var headingVariance: Double { max(0, covariance[Index.heading, Index.heading]) + headingError * headingError }

    /// Adds to the variance of the bias along `axis`: the prior was wrong.
    mutating func widen(along axis: SIMD3<Double>, by variance: Double) {
        for j in 0..<3 {
            for k in 0..<3 { covariance[Index.bias + j, Index.bias + k] += variance * axis[j] * axis[k] }
        }
        priorVariance += SIMD3(repeating: variance)
    }
}
