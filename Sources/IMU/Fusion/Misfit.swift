import CRealtime

/// Ratio of the innovations' measured variance to the variance that the filter predicts; 1 if the model fits.
///
/// A Kalman filter relies on its model. Wrong stamps, clipped or repeated samples, an accelerometer with lag or a wrong
/// scale cause errors that follow the motion, and no constant noise describes them. The innovations show these errors:
/// their mean over `window` seconds is larger than their covariance predicts. The ratio, averaged over `memory` seconds
/// and never below 1, multiplies the noise of model and measurement, so that such motion has less weight (covariance
/// matching: Mehra, "Approaches to adaptive filtering", IEEE Trans. Automatic Control 17, 1972).
struct Misfit: Sendable {
    /// Seconds over which innovations are averaged. Errors that follow the motion persist over this time; others
    /// average out.
    private let window: Double
    /// Seconds over which the ratio is averaged.
    private let memory: Double
    /// Variance of the innovations divided by the predicted one, at least 1.
    private(set) var ratio = 1.0
    private var mean = SIMD2<Double>(0, 0)
    private var variance = 0.0

    init(window: Double, memory: Double) {
        self.window = window
        self.memory = memory
    }

    /// Clears the innovations before a gap; the ratio is kept.
    mutating func begin() {
        mean = .zero
        variance = 0
    }

    /// Adds two innovations with the sum of their variances, `span` seconds after the last ones.
    mutating func take(_ innovation: SIMD2<Double>, variance sum: Double, span: Double) {
        let new = 1 - prc_exp(-span / window)
        mean += new * (innovation - mean)
        variance = (1 - new) * (1 - new) * variance + new * new * sum
        let excess = (mean.x * mean.x + mean.y * mean.y) / variance
        ratio = max(1, ratio + (1 - prc_exp(-span / memory)) * (excess * ratio - ratio))
    }
}
