import CKernels
import CRealtime

/// Basic operations on rows of samples, with the widest vectors of the processor. They are safe on the audio thread.
///
/// The functions cannot fail, and rows may have any alignment. Results are bit-identical however a row is divided,
/// except for `energy`. Cost: a fraction of a nanosecond per sample.
package enum Samples {
    /// Sets `count` samples to silence.
    @_noLocks
    package static func clear(_ row: UnsafeMutablePointer<Float>, count: Int) {
        prc_zero(row, count * MemoryLayout<Float>.size)
    }

    /// Copies `count` samples. The rows must not overlap.
    @_noLocks
    package static func copy(_ row: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
        prc_copy(target, row, count * MemoryLayout<Float>.size)
    }

    /// Multiplies `count` samples by a linear gain, in place.
    @_noLocks
    package static func scale(_ row: UnsafeMutablePointer<Float>, by gain: Float, count: Int) {
        prk_scale(count, gain, row, row)
    }

    /// Multiplies `count` samples, in place, by a linear gain ramp from `from` to `to`. The sample after the last one
    /// would have the gain `to`.
    @_noLocks
    package static func ramp(_ row: UnsafeMutablePointer<Float>, from: Float, to: Float, count: Int) {
        prk_ramp(count, from, to, row, row)
    }

    /// Adds `count` samples, times a linear gain, to a row that does not overlap them.
    @_noLocks
    package static func add(
        _ row: UnsafePointer<Float>, gain: Float, to target: UnsafeMutablePointer<Float>, count: Int
    ) {
        prk_multiply_add(count, gain, row, target)
    }

    /// Returns the sum of the squares of `count` samples, in double precision.
    @_noLocks
    package static func energy(_ row: UnsafePointer<Float>, count: Int) -> Double { prk_energy(count, row) }

    /// Returns the largest magnitude of `count` samples, linear; 0 if `count` is 0.
    @_noLocks
    package static func peak(_ row: UnsafePointer<Float>, count: Int) -> Float { prk_peak(count, row) }

    /// Largest magnitude that may enter a signal path, linear: +120.4 dBFS.
    package static var loudest: Float { @_noLocks get { PRK_LOUDEST } }

    /// Returns the message that reports `count` replaced samples.
    package static func replacement(_ count: Int) -> String {
        "\(count) input samples were not finite (set to 0) or above +120 dBFS (limited to it)"
    }

    /// Copies `count` samples, with 0 in place of infinities and NaN, and with ±`loudest` in place of larger
    /// magnitudes. Returns the number of replaced samples.
    @_noLocks
    package static func cleanse(_ row: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) -> Int
    {
        prk_cleanse(count, row, target)
    }

    /// Copies as `cleanse` does. Returns the number of replaced samples and the largest magnitude of the output,
    /// linear.
    @_noLocks
    package static func take(
        _ row: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
    ) -> (refused: Int, peak: Float) {
        var peak: Float = 0
        let refused = prk_take(count, row, target, &peak)
        return (refused, peak)
    }

    /// Writes for each of `count` frames the largest magnitude among `rowCount` rows.
    @_noLocks
    package static func envelope(
        _ rows: UnsafePointer<UnsafePointer<Float>?>, rowCount: Int, to target: UnsafeMutablePointer<Float>, count: Int
    ) {
        prk_envelope(count, rowCount, rows, target)
    }

    /// Convolves `row` (x) with `response` (h) in direct form: y[i] = Σ_k h[k]·x[i + taps − 1 − k] for 0 ≤ i < `count`.
    /// `row` has `count` + `taps` − 1 samples, the oldest first. Cost: `taps` multiply-adds per sample.
    @_noLocks
    package static func filter(
        _ row: UnsafePointer<Float>, by response: UnsafePointer<Float>, taps: Int,
        to target: UnsafeMutablePointer<Float>, count: Int
    ) {
        prk_fir(count, taps, row, response, target)
    }
}
