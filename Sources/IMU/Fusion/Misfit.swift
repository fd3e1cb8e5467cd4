import CRealtime

/// Ratio of the innovations' variance to the filter's own covariance: 1 where the model fits.
///
/// A Kalman filter trusts its model. Wrong stamps, clipped or repeated samples, an accelerometer with lag or a wrong
/// scale make errors that follow the motion, which no constant noise describes. The innovations show them: their mean
/// over `window` seconds is larger than their covariance. That ratio, followed over `memory` seconds and never below 1,
/// multiplies the noise of model and measurement (covariance matching: Mehra, "Approaches to adaptive filtering", IEEE
/// Trans. Automatic Control 17, 1972), so that such motion counts for less.
struct Misfit: Sendable {
    /// Seconds over which innovations are averaged: errors that follow the motion last, others average out.
    private let window: Double
    /// Seconds over which the ratio is followed.
    private let memory: Double
    /// Variance of the innovations over the predicted one, at least 1.
    private(set) var ratio = 1.0
    private var mean = SIMD2<Double>(0, 0)
    private var variance = 0.0

    init(window: Double, memory: Double) {
        self.window = window
        self.memory = memory
    }

    /// Forgets the innovations before a gap; the ratio is kept.
    mutating func begin() {
        mean = .zero
        variance = 0
    }

    /// Takes two innovations with the sum of their variances, `span` seconds after the last.
    mutating func take(_ innovation: SIMD2<Double>, variance sum: Double, span: Double) {
        let new = 1 - prc_exp(-span / window)
        mean += new * (innovation - mean)
        variance = (1 - new) * (1 - new) * variance + new * new * sum
        let excess = (mean.x * mean.x + mean.y * mean.y) / variance
        ratio = max(1, ratio + (1 - prc_exp(-span / memory)) * (excess * ratio - ratio))
    }
}
