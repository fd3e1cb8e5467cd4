import Glibc

/// Frequency ranges with separate shares of interpolated magnitudes, equally wide on the ERB scale.
struct MagnitudeRanges: Sendable {
    static let count = 4
    /// Below `from` the responses' own magnitudes are kept; from `to` on shares apply completely; hertz.
    static let onset = (from: 400.0, to: 800.0)
    /// Frequencies that the ranges span, hertz.
    static let span = (from: 500.0, to: 16_000.0)

    /// ERB numbers of the span's ends.
    private static let ends = (from: number(span.from), to: number(span.to))

    private static func number(_ hertz: Double) -> Double { 21.4 * log10(1 + 0.00437 * hertz) }

    /// Returns the number of the range that contains a frequency, or of the nearest range.
    static func range(of hertz: Double) -> Int {
        let part = (number(hertz) - ends.from) / (ends.to - ends.from)
        return max(0, min(count - 1, Int(part * Double(count))))
    }

    /// Returns the share at a frequency. `shares` apply at the middles of the ranges; between them they are
    /// interpolated linearly.
    static func share(_ shares: [Double], at hertz: Double) -> Double {
        let place = (number(hertz) - ends.from) / (ends.to - ends.from) * Double(count) - 0.5
        let low = max(0, min(count - 2, Int(place.rounded(.down))))
        let part = max(0, min(1, place - Double(low)))
        let extent = max(0, min(1, (hertz - onset.from) / (onset.to - onset.from)))
        return extent * (shares[low] + part * (shares[low + 1] - shares[low]))
    }
}
