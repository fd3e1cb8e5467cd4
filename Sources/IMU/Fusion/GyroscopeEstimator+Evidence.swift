/// The part of the estimate that is used, and the variance of the heading.
extension GyroscopeEstimator {
    /// Sets `used`, the part of the estimated errors that corrects the rate. The share I − (P·P₀⁻¹)ⁿ of the estimate's
    /// difference from the prior is used, separately for the bias and the error matrix. P is the present covariance. P₀
    /// is the covariance without evidence: the initial one plus, for the bias, the later increases of `priorVariance`.
    ///
    /// The estimate may also change along a direction without evidence, because the model of the measurement is not
    /// exact. This change is not used. A direction with full evidence is used completely. n is 1 for the bias: its
    /// share grows as its variance falls. n is 4 for the error matrix (scale and misalignment), so that its share grows
    /// faster: it is needed before its variance is small.
    mutating func use() {
        let prior = GyroscopeError(bias: priorBias).vector
        let beyond = learnt.vector - prior
        let unknown = covariance.unknown(beyond, inverse: inversePrior, power: 4)
        used = GyroscopeError(prior + (beyond - unknown))
    }

    /// Diagonal of P₀⁻¹ for the bias and the error matrix. P₀ is diagonal, because these twelve states are independent
    /// at the start. The entries of an error matrix that is not estimated are 0.
    private var inversePrior: GyroscopeErrorVector {
        let (s, m) = (scaleWeight, misalignmentWeight)
        let bias = 1 / priorVariance
        return GyroscopeErrorVector(
            a: SIMD4(bias.x, bias.y, bias.z, s), b: SIMD4(m, m, m, s), c: SIMD4(m, m, m, s))
    }

    /// Adds to the variance of the heading; rad².
    mutating func doubtHeading(_ variance: Double) { covariance.add(variance, to: Index.heading) }

    /// Variance of the heading, rad²: the one in the covariance, plus the square of the estimated error
    /// (`headingError`), by which the heading is not corrected.
    var headingVariance: Double { max(0, covariance[Index.heading, Index.heading]) + headingError * headingError }

    /// Adds to the variance of the bias along `axis`, and to the prior's variance of every body axis, because the prior
    /// was wrong; (rad/s)².
    mutating func widen(along axis: SIMD3<Double>, by variance: Double) {
        for j in 0..<3 {
            for k in 0..<3 { covariance[Index.bias + j, Index.bias + k] += variance * axis[j] * axis[k] }
        }
        priorVariance += SIMD3(repeating: variance)
    }
}
