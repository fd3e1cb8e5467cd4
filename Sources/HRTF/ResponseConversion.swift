import Convolution

/// Conversion of impulse responses to another sample rate.
enum ResponseConversion {
    /// Rows of equal length, `[row][sample]`, at another rate in hertz; amplitudes are not changed. Off the audio
    /// thread.
    static func convert(
        _ rows: [Float], count: Int, from old: Double, to new: Double
    ) throws(HRTFError) -> [Float] {
        do {
            return try SampleRateConverter.convert(rows, count: count, inputRate: old, outputRate: new)
        } catch {
            throw .conversion(from: old, to: new, reason: error.reason)
        }
    }
}
