import CSoxr

/// Conversion of a stream between sample rates by libsoxr at its very high quality. `SampleRateConverter` converts
/// complete signals. Time 0 stays at sample 0. One thread at a time may use it, not the audio thread.
package final class SampleRateStream {
    private let converter: OpaquePointer
    /// Channels per frame.
    package let channelCount: Int

    /// Opens a stream of interleaved frames. Both rates are in hertz, > 0.
    package init(
        channels: Int, inputRate: Double, outputRate: Double
    ) throws(SampleRateConverter.Failure) {
        var io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var quality = soxr_quality_spec(UInt(SOXR_VHQ), 0)
        var runtime = soxr_runtime_spec(1)
        var error: soxr_error_t?
        guard let made = soxr_create(inputRate, outputRate, UInt32(channels), &error, &io, &quality, &runtime) else {
            throw SampleRateConverter.Failure(reason: error.map { String(cString: $0) } ?? "no memory")
        }
        converter = made
        channelCount = channels
    }

    deinit { soxr_delete(converter) }

    /// Reads up to `frames` input frames and writes up to `capacity` output frames. Returns the numbers of frames read
    /// and written.
    ///
    /// - Parameter input: Interleaved frames; nil at the end of the input. Calls with nil write the remaining frames,
    ///   until a call writes none.
    package func process(
        _ input: UnsafePointer<Float>?, frames: Int, into output: UnsafeMutablePointer<Float>, capacity: Int
    ) throws(SampleRateConverter.Failure) -> (used: Int, made: Int) {
        var used = 0
        var made = 0
        let error = soxr_process(converter, input, input == nil ? 0 : frames, &used, output, capacity, &made)
        if let error { throw SampleRateConverter.Failure(reason: String(cString: error)) }
        return (used, made)
    }

    /// Restarts the stream. The next frame is its first.
    package func restart() throws(SampleRateConverter.Failure) {
        if let error = soxr_clear(converter) { throw SampleRateConverter.Failure(reason: String(cString: error)) }
    }
}
