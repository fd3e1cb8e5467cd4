/// Sample rate of one session, 8 to 768 kHz.
package struct SampleRate: Hashable, Sendable, CustomStringConvertible {
    /// Samples per second.
    package let hertz: Double

    /// Makes a rate in hertz. Returns nil if it is not finite or not in 8000…768000.
    package init?(hertz: Double) {
        guard hertz.isFinite, (8_000...768_000).contains(hertz) else { return nil }
        self.hertz = hertz
    }

    private init(trusted hertz: Double) { self.hertz = hertz }

    /// 44 100 Hz, the rate of the compact disc.
    package static let cd = SampleRate(trusted: 44_100)
    /// 48 000 Hz, the studio rate.
    package static let studio = SampleRate(trusted: 48_000)

    /// Returns the duration of `frames` frames, seconds.
    package func seconds(frames: Int) -> Double { Double(frames) / hertz }

    /// Factor for the number of samples of an analysis frame, so that the frame lasts about as long at all rates. It is
    /// 1 from 32 to 64 kHz, and otherwise another power of two, 1/4…16, because transforms need powers of two.
    package var frameScale: Double {
        var scale = 1.0
        while hertz > 64_000 * scale { scale *= 2 }
        while hertz < 32_000 * scale && scale > 0.125 { scale /= 2 }
        return scale
    }

    /// Rate in hertz.
    package var description: String {
        hertz == hertz.rounded() ? "\(Int(hertz)) Hz" : "\(hertz) Hz"
    }
}
