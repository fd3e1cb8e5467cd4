import Glibc
import Signal

/// Levels of inputs, and what can be told of each by itself: silence and clipping.
///
/// Not for the audio thread, though nothing in `process` allocates. Cost: a few operations per sample.
package struct InputMeter: Sendable {
    /// One input over the last second or so.
    package struct Level: Sendable, Equatable {
        /// Largest magnitude, linear, falling by 20 dB/s.
        package var peak: Float = 0
        /// Mean square over a second.
        package var power = 0.0
        /// Runs of samples at the limit, so far.
        package var clips = 0

        /// Silence.
        package init() {}
    }

    /// By input.
    package private(set) var levels: [Level]
    private let sampleRate: Double
    /// Samples at the limit that stand next to each other, by input.
    private var run: [Int]
    private var seen = 0
    /// Power below which an input is silent: −100 dB of full scale; converters without a microphone have more noise.
    private static let silence = 1e-10
    /// An input this far below the loudest is silent too.
    private static let share = 1e-5
    /// So many samples next to each other at the limit are no coincidence.
    private static let clip = 3
    /// The limit: what a converter of 16 bits gives at most.
    private static let limit: Float = 0.999_9

    /// Silent inputs.
    package init(channels: Int, sampleRate: SampleRate) {
        levels = [Level](repeating: Level(), count: channels)
        run = [Int](repeating: 0, count: channels)
        self.sampleRate = sampleRate.hertz
    }

    /// Hears `frames` frames of each input.
    package mutating func process(_ block: borrowing PlanarBlock, frames: Int) {
        guard frames > 0 else { return }
        let seconds = Double(frames) / sampleRate
        // At the beginning, the mean of all there was.
        let share = max(1 - exp(-seconds), Double(frames) / Double(seen + frames))
        let fall = Float(pow(10, -seconds))
        for channel in levels.indices {
            let row = block[channel]
            let peak = Samples.peak(row, count: frames)
            levels[channel].peak = max(peak, levels[channel].peak * fall)
            let power = Samples.energy(row, count: frames) / Double(frames)
            levels[channel].power += share * (power - levels[channel].power)
            guard peak >= Self.limit else {
                run[channel] = 0
                continue
            }
            for i in 0..<frames {
                run[channel] = abs(row[i]) >= Self.limit ? run[channel] + 1 : 0
                if run[channel] == Self.clip { levels[channel].clips += 1 }
            }
        }
        seen += frames
    }

    /// What is wrong with inputs by themselves, after three seconds at the earliest for silence.
    package func faults(_ names: [String]) -> [InputFault] {
        var found: [InputFault] = []
        if Double(seen) >= 3 * sampleRate {
            let loudest = levels.map(\.power).max() ?? 0
            if loudest < Self.silence {
                found.append(.allSilent)
            } else {
                for (name, level) in zip(names, levels) where level.power < max(Self.silence, Self.share * loudest) {
                    found.append(.silent(name))
                }
            }
        }
        for (name, level) in zip(names, levels) where level.clips > 0 { found.append(.clipped(name)) }
        return found
    }
}
