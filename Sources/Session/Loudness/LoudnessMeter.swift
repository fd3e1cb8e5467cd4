import CEBUR128
import Glibc
import Signal
import Soundstage

/// A loudness meter by EBU R 128 over libebur128; for a worker or an offline render, not for the audio thread.
///
/// Feeding in blocks of any length gives the same readings: momentary loudness is looked at every 20 ms of sound and short-term
/// loudness every 100 ms, counted from the first frame. Cost: about 1 % of a core for twelve channels at 48 kHz.
///
/// Not to be shared by threads.
final class LoudnessMeter {
    /// How the whole of a long sound is kept.
    enum Memory {
        /// Every block: exact, and 300 kB for every hour.
        case exact
        /// Counts in steps of 0.1 LU: the same memory however long it runs.
        case counts
    }

    /// Channels that are fed.
    let channelCount: Int
    private let sampleRate: SampleRate
    private var state: UnsafeMutablePointer<ebur128_state>?
    /// Frames between looks at momentary loudness.
    private let stepFrames: Int
    private var sinceStep = 0
    private var steps = 0
    private var frames = 0
    private var readings = LoudnessReadings()

    /// A meter that has heard nothing.
    ///
    /// - Parameter weights: BS.1770's weight of each channel's power: 0, 1, 1.41 or 2, see `Loudspeaker.loudnessWeight`.
    /// - Throws: where libebur128 takes no such sound: more than 64 channels, or memory is out.
    init(sampleRate: SampleRate, weights: [Float], memory: Memory = .exact) throws(SessionError) {
        channelCount = weights.count
        self.sampleRate = sampleRate
        stepFrames = max(1, Int((sampleRate.hertz / 50).rounded()))
        var mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
        if memory == .counts { mode |= EBUR128_MODE_HISTOGRAM.rawValue }
        guard
            (1...64).contains(weights.count),
            let made = ebur128_init(
                UInt32(weights.count), UInt(sampleRate.hertz.rounded()), Int32(bitPattern: UInt32(mode)))
        else {
            throw SessionError(
                .input,
                "loudness cannot be measured in \(weights.count) channels at \(sampleRate): 1 to 64 channels are")
        }
        state = made
        for (channel, weight) in weights.enumerated() {
            // The library's names for places stand for weights: 0, 1.41, 1 and 2.
            let kind =
                weight == 0
                ? EBUR128_UNUSED : weight > 1.9 ? EBUR128_DUAL_MONO : weight > 1.2 ? EBUR128_Mp110 : EBUR128_LEFT
            ebur128_set_channel(made, UInt32(channel), Int32(kind.rawValue))
        }
    }

    deinit { ebur128_destroy(&state) }

    /// Measures `count` frames, `[frame][channel]` interleaved.
    func add(interleaved samples: UnsafePointer<Float>, frames count: Int) {
        guard let state else { return }
        var done = 0
        while done < count {
            let next = min(stepFrames - sinceStep, count - done)
            ebur128_add_frames_float(state, samples + done * channelCount, next)
            done += next
            sinceStep += next
            frames += next
            if sinceStep == stepFrames { look(state) }
        }
    }

    /// What the meter shows now. Integrated loudness and range are worked out here.
    func read() -> LoudnessReadings {
        guard let state else { return readings }
        readings.seconds = sampleRate.seconds(frames: frames)
        var value = 0.0
        readings.integrated = ebur128_loudness_global(state, &value) == 0 ? Self.finite(value) : nil
        // A range wants short-term values: without three seconds of sound there are none.
        let hasRange = readings.shortTerm != nil && ebur128_loudness_range(state, &value) == 0
        readings.range = hasRange ? Self.finite(value) : nil
        var top = 0.0
        for channel in 0..<channelCount {
            guard ebur128_true_peak(state, UInt32(channel), &value) == 0 else { continue }
            top = max(top, value)
        }
        readings.truePeak = top > 0 ? 20 * log10(top) : nil
        return readings
    }

    /// Every 20 ms of sound.
    private func look(_ state: UnsafeMutablePointer<ebur128_state>) {
        sinceStep = 0
        steps += 1
        var value = 0.0
        if ebur128_loudness_momentary(state, &value) == 0 {
            readings.momentary = Self.finite(value)
            readings.maximumMomentary = Self.larger(readings.maximumMomentary, readings.momentary)
        }
        if steps % 5 == 0, ebur128_loudness_shortterm(state, &value) == 0 {
            readings.shortTerm = Self.finite(value)
            readings.maximumShortTerm = Self.larger(readings.maximumShortTerm, readings.shortTerm)
        }
    }

    /// The library gives −∞ for silence.
    private static func finite(_ value: Double) -> Double? { value.isFinite && value > -200 ? value : nil }

    private static func larger(_ a: Double?, _ b: Double?) -> Double? {
        guard let a, let b else { return a ?? b }
        return max(a, b)
    }
}
