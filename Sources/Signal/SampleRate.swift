/// Samples per second of one session, 8 to 768 kHz.
package struct SampleRate: Hashable, Sendable, CustomStringConvertible {
    /// Samples per second.
    package let hertz: Double

    /// A rate in hertz; nil outside 8000…768000 or where not finite.
    package init?(hertz: Double) {
        guard hertz.isFinite, (8_000...768_000).contains(hertz) else { return nil }
        self.hertz = hertz
    }

    private init(trusted hertz: Double) { self.hertz = hertz }

    /// 44 100 Hz, the compact disc's.
    package static let cd = SampleRate(trusted: 44_100)
    /// 48 000 Hz, the studio's.
    package static let studio = SampleRate(trusted: 48_000)

    /// Duration in seconds of `frames` frames.
    package func seconds(frames: Int) -> Double { Double(frames) / hertz }

    /// How many times as many samples a frame has as at 32 to 64 kHz, so that it lasts about as long: a power of two,
    /// which transforms go on with, an eighth at least.
    package var frameScale: Double {
        var scale = 1.0
        while hertz > 64_000 * scale { scale *= 2 }
        while hertz < 32_000 * scale && scale > 0.125 { scale /= 2 }
        return scale
    }

    /// In hertz.
    package var description: String {
        hertz == hertz.rounded() ? "\(Int(hertz)) Hz" : "\(hertz) Hz"
    }
}
