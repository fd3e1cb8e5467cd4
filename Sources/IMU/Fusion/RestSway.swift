import CRealtime

/// Slow sway of a body that rests: how far its mean rate over a moment lies from its bias.
///
/// A head that keeps its place sways below 0.5 Hz. Over a moment that looks like a steady rate, thus like bias; over
/// some seconds it does not. The rate's variance is taken over blocks of still time, motion between them left out. A
/// turn that begins or ends falls into one block: the median of three blocks is counted.
struct RestSway: Sendable {
    /// Seconds of a block.
    private static let block = 3.0

    /// Mean square of the slow rate about its mean, per axis, (rad/s)²; 0 before the second block is full.
    private(set) var variance = 0.0
    private var sum = SIMD3<Double>(0, 0, 0)
    private var square = 0.0
    private var span = 0.0
    private var blocks = SIMD3<Double>(0, 0, 0)

    /// Takes the rate of a still body without quick noise, rad/s, `step` seconds after the last.
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
