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

    /// In hertz.
    package var description: String {
        hertz == hertz.rounded() ? "\(Int(hertz)) Hz" : "\(hertz) Hz"
    }
}
