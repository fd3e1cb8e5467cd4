import CEBUR128
import Glibc
import Metering
import Signal

/// libebur128, a widely used meter, with which this program's meter is compared.
package final class LibraryMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private let channelCount: Int

    /// Makes a meter that has measured nothing yet; weights as in `LoudnessMeter`.
    package init(sampleRate: SampleRate, weights: [Float]) {
        channelCount = weights.count
        let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
        state = ebur128_init(UInt32(weights.count), UInt(sampleRate.hertz.rounded()), Int32(bitPattern: UInt32(mode)))
        for (channel, weight) in weights.enumerated() {
            // The library's channel types stand for weights: 0, 2, 1.41 and 1.
            let kind =
                weight == 0
                ? EBUR128_UNUSED : weight > 1.9 ? EBUR128_DUAL_MONO : weight > 1.2 ? EBUR128_Mp110 : EBUR128_LEFT
            ebur128_set_channel(state, UInt32(channel), Int32(kind.rawValue))
        }
    }

    deinit { ebur128_destroy(&state) }

    /// Measures frames of a block.
    package func add(_ block: borrowing PlanarBlock, from first: Int, frames: Int) {
        var samples = [Float](repeating: 0, count: frames * channelCount)
        for channel in 0..<channelCount {
            for i in 0..<frames { samples[i * channelCount + channel] = block[channel][first + i] }
        }
        ebur128_add_frames_float(state, samples, frames)
    }

    /// Returns the present readings, without the maxima.
    package func read() -> LoudnessReadings {
        var readings = LoudnessReadings()
        var value = 0.0
        if ebur128_loudness_momentary(state, &value) == 0 { readings.momentary = value }
        if ebur128_loudness_shortterm(state, &value) == 0 { readings.shortTerm = value }
        if ebur128_loudness_global(state, &value) == 0 { readings.integrated = value }
        if ebur128_loudness_range(state, &value) == 0 { readings.range = value }
        var top = 0.0
        for channel in 0..<channelCount where ebur128_true_peak(state, UInt32(channel), &value) == 0 {
            top = max(top, value)
        }
        readings.truePeak = 20 * log10(top)
        return readings
    }
}
