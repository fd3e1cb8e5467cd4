import Glibc
import Signal

/// A gain that gives way to peaks before they come, and does not pump.
///
/// All channels have one gain, so that directions stay. It looks a quarter of a second ahead, falls along a straight
/// line in decibels, 60 dB/s at most, so that it is down when a peak comes, and comes up again only after ten seconds
/// without need, by half a decibel per second: what stands behind a door that slams is not heard to breathe. It never
/// exceeds what was set. A peak that needs more than 15 dB is met by a steeper fall. Not for the audio thread.
package struct SteadyGain: ~Copyable {
    /// Seconds it looks ahead, by which all is late.
    package static let lookahead = 0.25
    /// Linear level that nothing exceeds: −1 dB.
    package static let ceiling: Float = 0.891_250_94
    /// Seconds of a step; within one the gain moves linearly.
    private static let step = 0.01
    /// Decibels it falls per second to meet a peak, and rises per second afterwards.
    private static let fall = 60.0
    private static let rise = 0.5
    /// Seconds without need before it rises.
    private static let patience = 10.0

    /// Frames by which all is late.
    package var delayFrames: Int { steps * stepFrames }
    /// What was set, decibels.
    package let set: Double
    /// What is in force at the last frame that came out, decibels.
    package private(set) var decibels: Double
    private let channels: Int
    private let stepFrames: Int
    private let steps: Int
    /// What waits, `[channel][frame]`: `steps` + 1 steps, in a circle.
    private let line: PlanarBlock
    /// Decibels that each step in the line allows.
    private var allowed: [Double]
    /// The step that is being filled, and frames in it.
    private var writing = 0
    private var filled = 0
    private var peak: Float = 0
    /// The gain of the step before at its end, and of the step that comes out.
    private var from: Double
    private var to: Double
    private var restedSteps = 0

    /// A gain of so many decibels on so many channels, with silence in the line.
    package init(channels: Int, decibels: Double, sampleRate: SampleRate) {
        self.channels = channels
        (set, self.decibels, from, to) = (decibels, decibels, decibels, decibels)
        stepFrames = Int((Self.step * sampleRate.hertz).rounded())
        steps = Int((Self.lookahead / Self.step).rounded())
        line = PlanarBlock(channels: channels, frames: (steps + 1) * stepFrames)
        allowed = [Double](repeating: decibels, count: steps + 1)
    }

    /// Takes `frames` frames of a block and puts those of a quarter of a second before, with their gain, in their
    /// place; the same frames without a gain go to `plain`.
    package mutating func process(
        _ block: borrowing PlanarBlock, plain: borrowing PlanarBlock, frames: Int
    ) {
        var done = 0
        while done < frames {
            let count = min(frames - done, stepFrames - filled)
            let reading = (writing + 1) % (steps + 1)
            // Linear between the ends of the step that comes out, so that it lies between them.
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

    /// A step is full: decides what the next that comes out gets.
    private mutating func advance() {
        let room = peak > 0 ? 20 * log10(Double(Self.ceiling / peak)) : .infinity
        allowed[writing] = min(set, room)
        peak = 0
        filled = 0
        writing = (writing + 1) % (steps + 1)
        from = to
        decibels = to
        // The step that comes out next is the one after `writing`; its end is the beginning of the one behind it.
        var wanted = set
        for ahead in 0...steps {
            let place = (writing + 1 + ahead) % (steps + 1)
            guard place != writing else { break }
            // Ahead 0 is the step itself, 1 the next, whose beginning is this one's end.
            wanted = min(wanted, allowed[place] + Self.fall * Self.step * Double(max(0, ahead - 1)))
        }
        if wanted < to {
            to = wanted
            restedSteps = 0
        } else {
            // Need that has just gone by counts like need.
            restedSteps = wanted > to + 1e-9 ? restedSteps + 1 : 0
            let isRested = Double(restedSteps) * Self.step >= Self.patience
            to = isRested ? min(wanted, to + Self.rise * Self.step) : to
        }
    }
}
