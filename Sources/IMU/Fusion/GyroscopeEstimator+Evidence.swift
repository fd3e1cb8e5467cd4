/// What the evidence bears, and how sure it leaves the heading.
extension GyroscopeEstimator {
    /// Uses what the evidence bears: of what is learnt beyond the prior, 1 − (P·P₀⁻¹)ⁿ, with P the covariance now and
    /// P₀ that at the start. Along a direction of which next to nothing is known yet, a mean that gravity and a model
    /// not quite right have moved stays unused; what is known counts in full. n is 1 for the bias, whose share then
    /// grows as its variance falls, and 4 for the matrix, whose use cannot wait until all is known of it.
    mutating func use() {
        let prior = GyroscopeError(bias: priorBias).vector
        let beyond = learnt.vector - prior
        let unknown =
            covariance.unknown(beyond, inverse: inversePrior, of: .bias, power: 1)
            + covariance.unknown(beyond, inverse: inversePrior, of: .matrix, power: 4)
        used = GyroscopeError(prior + (beyond - unknown))
    }

    /// P₀⁻¹ of the first twelve states, which are independent at the start.
    private var inversePrior: GyroscopeErrorVector {
        let (s, m) = (scaleWeight, misalignmentWeight)
        let bias = 1 / priorVariance
        return GyroscopeErrorVector(
            a: SIMD4(bias.x, bias.y, bias.z, s), b: SIMD4(m, m, m, s), c: SIMD4(m, m, m, s))
    }

    /// The heading is less sure by a variance, rad².
    mutating func doubtHeading(_ variance: Double) { covariance.add(variance, to: Index.heading) }

    /// Variance of the heading, rad²: what the covariance says, and what is known to be amiss without being used.
    var headingVariance: Double { max(0, covariance[Index.heading, Index.heading]) + headingError * headingError }

    /// Makes the bias less known along `axis`: it was not what the prior made it.
    mutating func widen(along axis: SIMD3<Double>, by variance: Double) {
        for j in 0..<3 {
            for k in 0..<3 { covariance[Index.bias + j, Index.bias + k] += variance * axis[j] * axis[k] }
        }
        priorVariance += SIMD3(repeating: variance)
    }
}
