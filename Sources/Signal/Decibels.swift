import Glibc

/// Level or gain, as 20·log10 of an amplitude ratio.
package struct Decibels: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The value in dB; −∞ for silence.
    package var value: Double

    /// Makes a gain of `value` dB.
    package init(_ value: Double) { self.value = value }

    /// Makes the gain that multiplies amplitudes by `amplitude` (≥ 0).
    package init(amplitude: Double) { value = 20 * log10(amplitude) }

    /// Amplitude ratio, 10^(dB/20).
    package var amplitude: Double { pow(10, value / 20) }

    /// Returns whether the first level is lower.
    package static func < (a: Decibels, b: Decibels) -> Bool { a.value < b.value }
    /// Returns the sum of the levels, which is the gain of both gains in series.
    package static func + (a: Decibels, b: Decibels) -> Decibels { Decibels(a.value + b.value) }
    /// Returns the inverse gain.
    package static prefix func - (a: Decibels) -> Decibels { Decibels(-a.value) }

    /// Value with one decimal, for display. Values above 0 have a plus sign.
    package var description: String {
        let tenths = (value * 10).rounded() / 10
        return "\(tenths > 0 ? "+" : "")\(tenths == 0 ? 0 : tenths) dB"
    }
}
