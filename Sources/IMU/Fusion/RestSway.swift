import CRealtime

/// Slow sway of a resting body: the deviation of the mean rate over a short time from the gyroscope's bias.
///
/// A head that keeps its place sways at less than 0.5 Hz. Over a short time this looks like a steady rate, and so like
/// bias; over some seconds it does not. The variance of the rate is measured over blocks of still time, without the
/// motion between them. A turn that begins or ends falls into one block, so the median of three blocks is used.
struct RestSway: Sendable {
    /// Seconds of a block.
    private static let block = 3.0

    /// Mean square of the slow rate about its mean, per axis, (rad/s)²; 0 before the second block is full.
    private(set) var variance = 0.0
    private var sum = SIMD3<Double>(0, 0, 0)
    private var square = 0.0
    private var span = 0.0
    private var blocks = SIMD3<Double>(0, 0, 0)

    /// Adds the low-passed rate of a still body, rad/s, `step` seconds after the last.
    @inline(__always)
    mutating func take(_ rate: SIMD3<Double>, step: Double) {
        sum += step * rate
        square += step * dot(rate, rate)
        span += step
        if span >= Self.block { close() }
    }

    private mutating func close() {
        let mean = sum / span
        let found = max(0, square / span - dot(mean, mean)) / 3
        blocks = SIMD3(found, blocks.x, blocks.y)
        variance = max(min(blocks.x, blocks.y), min(max(blocks.x, blocks.y), blocks.z))
        (sum, square, span) = (.zero, 0, 0)
    }
}
