import Glibc
import Signal

/// Limiter with look-ahead whose gain falls before peaks and does not pump.
///
/// All channels have the same gain, so that directions are kept. The look-ahead is a quarter of a second. The gain
/// falls linearly in decibels, by 60 dB/s, so that it is low enough when a peak arrives. If a peak needs a reduction of
/// more than 15 dB, the gain falls more steeply at first. The gain rises again only after ten seconds without such
/// peaks, by 0.5 dB/s, so that the background does not audibly pump after a slammed door. The gain never exceeds the
/// set gain. Must not be used on the audio thread.
package struct SteadyGain: ~Copyable {
    /// Look-ahead, which equals the latency, seconds.
    package static let lookahead = 0.25
    /// Greatest output level, linear: −1 dBFS.
    package static let ceiling: Float = 0.891_250_94
    /// Length of a step, seconds. Within a step the gain is a linear ramp.
    private static let step = 0.01
    /// Rates of the fall before a peak and of the rise afterwards, dB/s.
    private static let fall = 60.0
    private static let rise = 0.5
    /// Time after which the gain rises if no peak needs the present gain or a lower one, seconds.
    private static let patience = 10.0

    /// Latency, frames.
    package var delayFrames: Int { steps * stepFrames }
    /// Set gain, dB.
    package let set: Double
    /// Gain at the end of the last whole step of the output, dB.
    package private(set) var decibels: Double
    private let channels: Int
    private let stepFrames: Int
    private let steps: Int
    /// Delay line, `[channel][frame]`: a ring buffer of `steps` + 1 steps.
    private let line: PlanarBlock
    /// Greatest gain that each step in the delay line permits, dB.
    private var allowed: [Double]
    /// Index of the step that is being filled, and number of frames in it.
    private var writing = 0
    private var filled = 0
    private var peak: Float = 0
    /// Gain at the beginning and at the end of the output step, dB.
    private var from: Double
    private var to: Double
    private var restedSteps = 0

    /// Creates a gain set to `decibels` for `channels` channels, with silence in the delay line.
    package init(channels: Int, decibels: Double, sampleRate: SampleRate) {
        self.channels = channels
        (set, self.decibels, from, to) = (decibels, decibels, decibels, decibels)
        stepFrames = Int((Self.step * sampleRate.hertz).rounded())
        steps = Int((Self.lookahead / Self.step).rounded())
        line = PlanarBlock(channels: channels, frames: (steps + 1) * stepFrames)
        allowed = [Double](repeating: decibels, count: steps + 1)
    }

    /// Replaces `frames` frames of a block by the frames from a quarter of a second earlier with the gain applied.
    /// Writes the same delayed frames without the gain to `plain`.
    package mutating func process(
        _ block: borrowing PlanarBlock, plain: borrowing PlanarBlock, frames: Int
    ) {
        var done = 0
        while done < frames {
            let count = min(frames - done, stepFrames - filled)
            let reading = (writing + 1) % (steps + 1)
            // The gain ramp is linear between both ends of the output step, so that it stays between them.
            let (start, end) = (pow(10, from / 20), pow(10, to / 20))
            for channel in 0..<channels {
                let row = block[channel] + done
                peak = max(peak, Samples.peak(row, count: count))
                let waiting = line[channel] + writing * stepFrames + filled
                Samples.copy(row, to: waiting, count: count)
                let out = line[channel] + reading * stepFrames + filled
                Samples.copy(out, to: plain[channel] + done, count: count)
                for i in 0..<count {
                    let share = Double(filled + i) / Double(stepFrames)
                    row[i] = out[i] * Float(start + share * (end - start))
                }
            }
            filled += count
            done += count
            if filled == stepFrames { advance() }
        }
    }

    /// Ends a full step, and computes the gain of the next output step.
    private mutating func advance() {
        let room = peak > 0 ? 20 * log10(Double(Self.ceiling / peak)) : .infinity
        allowed[writing] = min(set, room)
        peak = 0
        filled = 0
        writing = (writing + 1) % (steps + 1)
        from = to
        decibels = to
        // The next output step follows `writing`. Its end is the beginning of the step after it.
        var wanted = set
        for ahead in 0...steps {
            let place = (writing + 1 + ahead) % (steps + 1)
            guard place != writing else { break }
            // `ahead` 0 is the output step. 1 is the next step, which begins at the end of the output step.
            wanted = min(wanted, allowed[place] + Self.fall * Self.step * Double(max(0, ahead - 1)))
        }
        if wanted < to {
            to = wanted
            restedSteps = 0
        } else {
            // A peak in the delay line that needs the present gain restarts the wait.
            restedSteps = wanted > to + 1e-9 ? restedSteps + 1 : 0
            let isRested = Double(restedSteps) * Self.step >= Self.patience
            to = isRested ? min(wanted, to + Self.rise * Self.step) : to
        }
    }
}
