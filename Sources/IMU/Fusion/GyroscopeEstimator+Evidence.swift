/// The part of the estimate that is used, and the variance of the heading.
extension GyroscopeEstimator {
    /// Sets the used errors. Of the estimate's difference from the prior, the share 1 − (P·P₀⁻¹)ⁿ is used, where P is
    /// the present covariance and P₀ the initial one. Along a direction without evidence, gravity and a slightly wrong
    /// model may have moved the mean; this movement is not used. A direction with full evidence is used completely. n
    /// is 1 for the bias, whose share then grows as its variance falls. n is 4 for the matrix, which is needed before
    /// its variance has fallen completely.
    mutating func use() {
        let prior = GyroscopeError(bias: priorBias).vector
        let beyond = learnt.vector - prior
        let unknown = covariance.unknown(beyond, inverse: inversePrior, power: 4)
        used = GyroscopeError(prior + (beyond - unknown))
    }

    /// P₀⁻¹ of the first twelve states, which are independent in the initial state.
    private var inversePrior: GyroscopeErrorVector {
        let (s, m) = (scaleWeight, misalignmentWeight)
        let bias = 1 / priorVariance
        return GyroscopeErrorVector(
            a: SIMD4(bias.x, bias.y, bias.z, s), b: SIMD4(m, m, m, s), c: SIMD4(m, m, m, s))
    }

    /// Adds to the variance of the heading; rad².
    mutating func doubtHeading(_ variance: Double) { covariance.add(variance, to: Index.heading) }

    /// Variance of the heading, rad²: the one in the covariance, plus the square of the known error that is not used.
    var headingVariance: Double { max(0, covariance[Index.heading, Index.heading]) + headingError * headingError }

    /// Adds to the variance of the bias along `axis`, because the prior was wrong; (rad/s)².
    mutating func widen(along axis: SIMD3<Double>, by variance: Double) {
        for j in 0..<3 {
            for k in 0..<3 { covariance[Index.bias + j, Index.bias + k] += variance * axis[j] * axis[k] }
        }
        priorVariance += SIMD3(repeating: variance)
    }
}
