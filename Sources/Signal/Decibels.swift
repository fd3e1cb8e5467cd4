import Glibc

/// A level or gain as 20·log10 of an amplitude ratio.
package struct Decibels: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The value in dB; −∞ is silence.
    package var value: Double

    /// A gain of `value` dB.
    package init(_ value: Double) { self.value = value }

    /// The gain that multiplies amplitudes by `amplitude` (≥ 0).
    package init(amplitude: Double) { value = 20 * log10(amplitude) }

    /// Amplitude ratio, 10^(dB/20).
    package var amplitude: Double { pow(10, value / 20) }

    /// Whether the first level is lower.
    package static func < (a: Decibels, b: Decibels) -> Bool { a.value < b.value }
    /// Returns the sum: gains in series.
    package static func + (a: Decibels, b: Decibels) -> Decibels { Decibels(a.value + b.value) }
    /// Returns the inverse gain.
    package static prefix func - (a: Decibels) -> Decibels { Decibels(-a.value) }

    /// Value with one decimal, and with a sign above 0, for display.
    package var description: String {
        let tenths = (value * 10).rounded() / 10
        return "\(tenths > 0 ? "+" : "")\(tenths == 0 ? 0 : tenths) dB"
    }
}
