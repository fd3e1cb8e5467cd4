import Signal

/// Noise for all channels. It repeats after a whole number of periods.
///
/// The number of periods is a prime, so that no partition of a peer's filters coincides with the repetition: a result
/// that is late by a partition then fails the comparison.
final class Programme {
    let channels: Int
    let period: Int
    /// Number of periods before the noise repeats.
    let periods: Int
    private let samples: PlanarBlock
    private let rows: UnsafeMutablePointer<UnsafePointer<Float>>

    init(channels: Int, period: Int) {
        self.channels = channels
        self.period = period
        periods = [131, 67, 37, 23, 11].first { $0 * period <= 10_000 } ?? 11
        samples = PlanarBlock(channels: channels, frames: periods * period)
        rows = .allocate(capacity: max(1, channels))
        var noise = Noise(seed: 0x9E37_79B9_7F4A_7C15)
        for channel in 0..<channels {
            // Low level, so that no output guard acts.
            for frame in 0..<(periods * period) { samples[channel][frame] = noise.next() * 0.02 }
        }
    }

    deinit { rows.deallocate() }

    /// Returns the first sample of each channel for one period; valid until the next call.
    func block(_ index: Int) -> UnsafePointer<UnsafePointer<Float>> {
        let start = index % periods * period
        for channel in 0..<channels { rows[channel] = UnsafePointer(samples[channel] + start) }
        return UnsafePointer(rows)
    }

    /// Returns the same for a part of a period, for engines whose block is shorter.
    func block(_ index: Int, from frame: Int) -> UnsafePointer<UnsafePointer<Float>> {
        let start = index % periods * period + frame
        for channel in 0..<channels { rows[channel] = UnsafePointer(samples[channel] + start) }
        return UnsafePointer(rows)
    }

    /// Returns one sample of the stream, which begins with period 0; silence before.
    func sample(channel: Int, frame: Int) -> Double {
        frame < 0 ? 0 : Double(samples[channel][frame % (periods * period)])
    }
}

/// Uniformly distributed numbers, the same in every run (xorshift64*, Vigna 2016).
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns the next number, from −1 to 1.
    mutating func next() -> Float {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        let bits = Int32(truncatingIfNeeded: (state &* 0x2545_F491_4F6C_DD1D) >> 32)
        return Float(bits) / Float(Int32.max)
    }
}
