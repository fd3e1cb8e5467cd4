import Glibc
import Signal

/// A loudness meter according to EBU R 128 (ITU-R BS.1770-5, EBU Tech 3341 and 3342). It is for a worker thread or an
/// offline render, not for the audio thread.
///
/// Readings do not depend on the length of the blocks added. Counted from the first frame, momentary loudness is
/// measured every 20 ms of sound, and short-term loudness every 100 ms. Every 100 ms the histograms for integrated
/// loudness and range also get a value. A window that is not yet full is filled with silence. A sample of magnitude
/// `Samples.loudest` or more is a fault: it counts as silence, and maxima, integrated loudness and range omit the
/// windows that contain it. Cost: about 2 ns per sample in a stretch of 128 frames that may contain a new true peak,
/// otherwise less than 1 ns.
///
/// Must not be shared between threads.
package final class LoudnessMeter {
    private static let chunk = 1024

    /// Number of channels.
    package let channelCount: Int
    private let sampleRate: SampleRate
    private let weighted: KWeightedEnergy
    private var peaks: PeakBetweenSamples
    /// A chunk of every channel with only finite samples, and one in which faults are replaced by silence.
    private let heard: PlanarBlock, sound: PlanarBlock
    private var steps: LoudnessSteps
    private var frames = 0
    private var blocks = LoudnessHistogram()
    private var shortTerms = LoudnessHistogram()
    private var readings = LoudnessReadings()

    /// Creates a meter at rest.
    ///
    /// - Parameter weights: weight of each channel's power: 0, 1 or 1.41 by BS.1770-5, or 2 for W of Furse-Malham; see
    ///   `Layout.loudnessWeights`.
    package init(sampleRate: SampleRate, weights: [Float]) {
        channelCount = weights.count
        self.sampleRate = sampleRate
        steps = LoudnessSteps(frames: max(1, Int((sampleRate.hertz / 50).rounded())))
        weighted = KWeightedEnergy(sampleRate: sampleRate, channelWeights: weights)
        peaks = PeakBetweenSamples(channels: weights.count, sampleRate: sampleRate, chunk: Self.chunk)
        heard = PlanarBlock(channels: weights.count, frames: Self.chunk)
        sound = PlanarBlock(channels: weights.count, frames: Self.chunk)
    }

    /// Measures `frames` frames of a block from frame `first` on. Samples that are not finite count as 0.
    package func add(_ block: borrowing PlanarBlock, from first: Int = 0, frames total: Int) {
        let rows = UnsafeRawPointer(heard.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        var done = 0
        while done < total {
            let count = min(Self.chunk, total - done)
            for channel in 0..<channelCount {
                _ = Samples.cleanse(block[channel] + first + done, to: heard[channel], count: count)
            }
            add(finite: rows, frames: count)
            done += count
        }
    }

    /// Measures `frames` frames of one row per channel. All samples must be finite.
    package func add(finite rows: UnsafePointer<UnsafePointer<Float>>, frames total: Int) {
        var done = 0
        while done < total {
            let count = min(Self.chunk, steps.missing, total - done)
            if isFault(rows, from: done, count: count) {
                steps.noteFault()
                listen(silencing(rows, from: done, count: count), from: 0, count: count)
            } else {
                listen(rows, from: done, count: count)
            }
            done += count
            frames += count
            if steps.advance(count) { look() }
        }
    }

    private func listen(_ rows: UnsafePointer<UnsafePointer<Float>>, from first: Int, count: Int) {
        for channel in 0..<channelCount { peaks.add(rows[channel] + first, channel: channel, count: count) }
        weighted.listen(rows, from: first, frames: count)
    }

    /// Returns whether any sample is a fault.
    private func isFault(_ rows: UnsafePointer<UnsafePointer<Float>>, from first: Int, count: Int) -> Bool {
        (0..<channelCount).contains { Samples.peak(rows[$0] + first, count: count) >= Samples.loudest }
    }

    /// Returns the samples with faults replaced by 0.
    private func silencing(
        _ rows: UnsafePointer<UnsafePointer<Float>>, from first: Int, count: Int
    ) -> UnsafePointer<UnsafePointer<Float>> {
        for channel in 0..<channelCount {
            for i in 0..<count {
                let sample = rows[channel][first + i]
                sound[channel][i] = abs(sample) >= Samples.loudest ? 0 : sample
            }
        }
        return UnsafeRawPointer(sound.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
    }

    /// Returns the present readings. With `gated` the integrated loudness and the range are computed; otherwise they
    /// keep their last values.
    package func read(gated: Bool = true) -> LoudnessReadings {
        readings.seconds = sampleRate.seconds(frames: frames)
        if gated {
            readings.integrated = blocks.integrated
            readings.range = shortTerms.spread
        }
        readings.truePeak = peaks.largest > 0 ? 20 * log10(Double(peaks.largest)) : nil
        return readings
    }

    /// Returns the gain in dB that brings the sound's integrated loudness to `target`, LUFS. Nil if there is no
    /// integrated loudness before or after the gain: no complete window of 400 ms passes the gates.
    ///
    /// A gain may move blocks across the absolute gate, which changes the blocks that count. The gain is therefore
    /// found in up to eight steps, to 0.005 dB.
    package func gain(to target: Double) -> Double? {
        guard let loudness = blocks.integrated else { return nil }
        var gain = target - loudness
        for _ in 0..<8 {
            guard let after = blocks.integrated(after: gain) else { return nil }
            gain += target - after
            if abs(target - after) < 0.005 { break }
        }
        return gain
    }

    /// Completes a step of 20 ms, and updates the readings.
    private func look() {
        if steps.end(power: weighted.take()) {
            readings.faultySeconds = (readings.faultySeconds ?? 0) + sampleRate.seconds(frames: steps.frames)
        }
        let momentary = steps.power(LoudnessSteps.momentary)
        readings.momentary = Self.reading(momentary)
        let isSound = steps.areSound(LoudnessSteps.momentary)
        if isSound { readings.maximumMomentary = Self.larger(readings.maximumMomentary, readings.momentary) }
        guard steps.count % LoudnessSteps.gate == 0 else { return }
        let shortTerm = steps.power(LoudnessSteps.shortTerm)
        readings.shortTerm = Self.reading(shortTerm)
        let isLongSound = steps.areSound(LoudnessSteps.shortTerm)
        if isLongSound { readings.maximumShortTerm = Self.larger(readings.maximumShortTerm, readings.shortTerm) }
        // Only full windows are entered in the histograms.
        if steps.count >= LoudnessSteps.momentary && isSound { blocks.add(power: momentary) }
        if steps.count >= LoudnessSteps.shortTerm && isLongSound { shortTerms.add(power: shortTerm) }
    }

    private static func reading(_ power: Double) -> Double? {
        let loudness = KWeighting.loudness(power: power)
        return loudness > -200 ? loudness : nil
    }

    private static func larger(_ a: Double?, _ b: Double?) -> Double? {
        guard let a, let b else { return a ?? b }
        return max(a, b)
    }
}
