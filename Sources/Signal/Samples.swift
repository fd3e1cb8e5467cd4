import CKernels
import CRealtime

/// Basic operations on rows of samples, in the widest vectors; safe on the audio thread.
///
/// Every function is total and takes rows of any alignment. A row cut in two gives the same bits, but for `energy`.
/// Cost: a fraction of a nanosecond per sample.
package enum Samples {
    /// Sets `count` samples to silence.
    @_noLocks
    package static func clear(_ row: UnsafeMutablePointer<Float>, count: Int) {
        prc_zero(row, count * MemoryLayout<Float>.size)
    }

    /// Copies `count` samples between rows that do not overlap.
    @_noLocks
    package static func copy(_ row: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
        prc_copy(target, row, count * MemoryLayout<Float>.size)
    }

    /// Multiplies `count` samples by a linear gain, in place.
    @_noLocks
    package static func scale(_ row: UnsafeMutablePointer<Float>, by gain: Float, count: Int) {
        prk_scale(count, gain, row, row)
    }

    /// Multiplies `count` samples, in place, by a gain that moves linearly from one value to another, which the sample
    /// after the last would have.
    @_noLocks
    package static func ramp(_ row: UnsafeMutablePointer<Float>, from: Float, to: Float, count: Int) {
        prk_ramp(count, from, to, row, row)
    }

    /// Adds `gain` (linear) times `count` samples to a row that does not overlap them.
    @_noLocks
    package static func add(
        _ row: UnsafePointer<Float>, gain: Float, to target: UnsafeMutablePointer<Float>, count: Int
    ) {
        prk_multiply_add(count, gain, row, target)
    }

    /// The sum of the squares of `count` samples, in double precision.
    @_noLocks
    package static func energy(_ row: UnsafePointer<Float>, count: Int) -> Double { prk_energy(count, row) }

    /// The largest magnitude of `count` samples, linear; 0 for none.
    @_noLocks
    package static func peak(_ row: UnsafePointer<Float>, count: Int) -> Float { prk_peak(count, row) }

    /// The largest magnitude that comes into a signal path, +120.4 dBFS.
    package static var loudest: Float { @_noLocks get { PRK_LOUDEST } }

    /// The message for `count` samples that were replaced.
    package static func replacement(_ count: Int) -> String {
        "\(count) input samples were not finite or above +120 dBFS, and were silenced or held there"
    }

    /// Copies `count` samples with 0 in place of infinities and NaN, and with ±`loudest` in place of what is larger;
    /// returns how many were replaced.
    @_noLocks
    package static func cleanse(_ row: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) -> Int
    {
        prk_cleanse(count, row, target)
    }

    /// `cleanse` and the `peak` of what it leaves, in one pass.
    @_noLocks
    package static func take(
        _ row: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
    ) -> (refused: Int, peak: Float) {
        var peak: Float = 0
        let refused = prk_take(count, row, target, &peak)
        return (refused, peak)
    }

    /// For each of `count` frames the largest magnitude among `rowCount` rows.
    @_noLocks
    package static func envelope(
        _ rows: UnsafePointer<UnsafePointer<Float>?>, rowCount: Int, to target: UnsafeMutablePointer<Float>, count: Int
    ) {
        prk_envelope(count, rowCount, rows, target)
    }

    /// Direct-form convolution: y[i] = Σ_k h[k]·x[i + taps − 1 − k] for i < count, where `row` holds count + taps − 1
    /// samples, the last of which belongs to the last output. Cost: taps multiply-adds per sample.
    @_noLocks
    package static func filter(
        _ row: UnsafePointer<Float>, by response: UnsafePointer<Float>, taps: Int,
        to target: UnsafeMutablePointer<Float>, count: Int
    ) {
        prk_fir(count, taps, row, response, target)
    }
}
