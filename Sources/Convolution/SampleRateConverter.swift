import CSoxr

/// Conversion of complete signals between sample rates by libsoxr at its "very high quality": linear phase, 28 bits,
/// passband to 0.91 of the lower Nyquist frequency. Not for the audio thread.
package enum SampleRateConverter {
    /// Error of a conversion.
    package struct Failure: Error, Hashable, Sendable {
        /// Error text of libsoxr.
        package let reason: String
    }

    /// Converts several signals of equal length together. Time 0 stays at sample 0, and amplitudes are kept. A response
    /// for convolution must also be scaled by `inputRate / outputRate`.
    ///
    /// - Parameters:
    ///   - rows: `[row][frame]`, `count` rows of equal length.
    ///   - inputRate, outputRate: hertz, > 0.
    /// - Returns: `[row][frame]`, with ⌈frames·outputRate/inputRate⌉ frames in each row. Ringing before the first and
    ///   after the last frame is cut off.
    package static func convert(
        _ rows: [Float], count: Int, inputRate: Double, outputRate: Double
    ) throws(Failure) -> [Float] {
        guard count > 0, !rows.isEmpty, inputRate != outputRate else { return rows }
        let frames = rows.count / count
        let wanted = Int((Double(frames) * outputRate / inputRate).rounded(.up))
        var result = [Float](repeating: 0, count: count * wanted)
        // The interleaved rows of a batch share one filter design. The batch size limits the memory.
        let batch = 128
        for start in stride(from: 0, to: count, by: batch) {
            let width = min(batch, count - start)
            var interleaved = [Float](repeating: 0, count: width * frames)
            for row in 0..<width {
                for i in 0..<frames { interleaved[i * width + row] = rows[(start + row) * frames + i] }
            }
            var converted = [Float](repeating: 0, count: width * (wanted + 1))
            var io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
            var quality = soxr_quality_spec(UInt(SOXR_VHQ), 0)
            var runtime = soxr_runtime_spec(1)
            var used = 0
            var made = 0
            let error = soxr_oneshot(
                inputRate, outputRate, UInt32(width), interleaved, frames, &used, &converted, wanted + 1, &made, &io,
                &quality, &runtime)
            if let error { throw Failure(reason: String(cString: error)) }
            for row in 0..<width {
                for i in 0..<min(made, wanted) { result[(start + row) * wanted + i] = converted[i * width + row] }
            }
        }
        return result
    }
}
