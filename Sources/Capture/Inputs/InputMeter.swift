import Glibc
import Signal

/// Levels of inputs, and two of their faults: silence and clipping.
///
/// Must not be used on the audio thread, although `process` does not allocate memory. Cost: some operations per sample.
package struct InputMeter: Sendable {
    /// Levels of one input over about the last second.
    package struct Level: Sendable, Equatable {
        /// Peak magnitude, linear, which falls by 20 dB/s.
        package var peak: Float = 0
        /// Mean square, with a time constant of 1 s.
        package var power = 0.0
        /// Number of clips since the beginning. A clip is a run of at least three samples at the limit.
        package var clips = 0

        /// Creates the levels of silence.
        package init() {}
    }

    /// Levels, `[input]`.
    package private(set) var levels: [Level]
    private let sampleRate: Double
    /// Length of the present run of samples at the limit, `[input]`.
    private var run: [Int]
    private var seen = 0
    /// Power below which an input is silent: −100 dB relative to full scale. A converter without a microphone has more
    /// noise.
    private static let silence = 1e-10
    /// Power relative to the loudest input below which an input is also silent: −50 dB.
    private static let share = 1e-5
    /// Number of consecutive samples at the limit that count as one clip.
    private static let clip = 3
    /// Limit of clipping, linear. It is just below the greatest value of a 16-bit converter.
    private static let limit: Float = 0.999_9

    /// Creates a meter with the levels of silence.
    package init(channels: Int, sampleRate: SampleRate) {
        levels = [Level](repeating: Level(), count: channels)
        run = [Int](repeating: 0, count: channels)
        self.sampleRate = sampleRate.hertz
    }

    /// Measures `frames` frames of each input.
    package mutating func process(_ block: borrowing PlanarBlock, frames: Int) {
        guard frames > 0 else { return }
        let seconds = Double(frames) / sampleRate
        // During the first second, the power is the mean of all frames so far.
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

    /// Returns the faults of inputs, which are named by `names`. Silence is reported only after three seconds.
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
