import Glibc

/// The ranges of frequency for which magnitudes are interpolated each in its own way:
/// alike on the scale of critical bands.
struct MagnitudeRanges: Sendable {
    static let count = 4
    /// Below the first of these the responses' own magnitudes stay, from the second on shares count in full, hertz.
    static let onset = (from: 400.0, to: 800.0)
    /// What the ranges span, hertz.
    static let span = (from: 500.0, to: 16_000.0)

    /// ERB numbers of the ranges' ends.
    private static let ends = (from: number(span.from), to: number(span.to))

    private static func number(_ hertz: Double) -> Double { 21.4 * log10(1 + 0.00437 * hertz) }

    /// The range that a frequency belongs to.
    static func range(of hertz: Double) -> Int {
        let part = (number(hertz) - ends.from) / (ends.to - ends.from)
        return max(0, min(count - 1, Int(part * Double(count))))
    }

    /// The share at a frequency: those given hold at the middles of the ranges, in between the way is straight.
    static func share(_ shares: [Double], at hertz: Double) -> Double {
        let place = (number(hertz) - ends.from) / (ends.to - ends.from) * Double(count) - 0.5
        let low = max(0, min(count - 2, Int(place.rounded(.down))))
        let part = max(0, min(1, place - Double(low)))
        let extent = max(0, min(1, (hertz - onset.from) / (onset.to - onset.from)))
        return extent * (shares[low] + part * (shares[low + 1] - shares[low]))
    }
}
