import Foundation
import Stages

/// Law between a number and the position of a fader or knob: 0 at its foot or left end, 1 at its head or right end.
///
/// Ranges in dB from −60 or lower to 0 or higher follow the scale of programme meters (IEC 60268-18, Table 1), extended
/// above 0 dB with the same slope: from −70 dB, the upper half of the way to 0 dB covers 20 dB. The foot is at −70 dB,
/// or at the range's lower end if that is higher. On logarithmic controls of plugins, such as frequencies, equal
/// distances multiply the value by equal factors. All other numbers are linear.
package struct FaderLaw: Sendable, Equatable {
    /// Values at both ends.
    package let range: ClosedRange<Double>
    /// Whether the law is the scale of programme meters.
    package let isMeter: Bool
    /// Whether values are whole numbers.
    let isWhole: Bool
    /// Whether equal ways are equal ratios.
    let isLogarithmic: Bool

    /// Level at the head of the meter scale, dB; less if the range ends below it, or as the surface's map says.
    package static let head = 10.0
    /// Level at the foot of faders in dB.
    package static let foot = -70.0

    /// Makes the law of a number.
    ///
    /// - Parameters:
    ///   - from: value at the foot; a given value rules out the meter scale.
    ///   - to: value at the head. Both are clamped to the number's range.
    ///   - isLogarithmic: whether equal ways are equal ratios, where both ends are above 0.
    package init(
        _ number: Parameter.Number, from: Double? = nil, to: Double? = nil, isLogarithmic: Bool = false
    ) {
        let whole = number.range
        isMeter = from == nil && number.unit == "dB" && whole.lowerBound <= -60 && (to ?? whole.upperBound) >= 0
        isWhole = number.isWhole
        let upper = to ?? (isMeter ? min(whole.upperBound, Self.head) : whole.upperBound)
        let lower = from ?? (isMeter ? max(whole.lowerBound, Self.foot) : whole.lowerBound)
        let (first, last) = (min(max(lower, whole.lowerBound), whole.upperBound), min(upper, whole.upperBound))
        // Whole numbers: the ends are rounded inward.
        let (foot, head) = isWhole ? (first.rounded(.up), last.rounded(.down)) : (first, last)
        range = foot...max(foot, head)
        self.isLogarithmic = isLogarithmic && foot > 0
    }

    /// Returns the value at a position, 0…1.
    package func value(at position: Double) -> Double {
        let position = min(1, max(0, position))
        let value: Double
        if isMeter {
            let (first, last) = (Self.deflection(range.lowerBound), Self.deflection(range.upperBound))
            value = Self.level(first + position * (last - first))
        } else if isLogarithmic {
            value = range.lowerBound * pow(range.upperBound / range.lowerBound, position)
        } else {
            value = range.lowerBound + position * (range.upperBound - range.lowerBound)
        }
        let bounded = min(range.upperBound, max(range.lowerBound, value))
        return isWhole ? bounded.rounded() : bounded
    }

    /// Returns the position of a value, 0…1; values beyond an end lie at that end.
    package func position(of value: Double) -> Double {
        let value = min(range.upperBound, max(range.lowerBound, value))
        guard range.upperBound > range.lowerBound else { return 0 }
        if isLogarithmic { return log(value / range.lowerBound) / log(range.upperBound / range.lowerBound) }
        guard isMeter else { return (value - range.lowerBound) / (range.upperBound - range.lowerBound) }
        let (first, last) = (Self.deflection(range.lowerBound), Self.deflection(range.upperBound))
        return (Self.deflection(value) - first) / (last - first)
    }

    /// Corners of the meter scale: level in dB, and way in per cent of the way to 0 dB.
    private static let corners: [(level: Double, way: Double)] = [
        (-70, 0), (-60, 2.5), (-50, 7.5), (-40, 15), (-30, 30), (-20, 50), (0, 100), (100, 350),
    ]

    private static func deflection(_ level: Double) -> Double {
        for (a, b) in zip(corners, corners.dropFirst()) where level <= b.level {
            return a.way + max(0, level - a.level) / (b.level - a.level) * (b.way - a.way)
        }
        return corners[corners.count - 1].way
    }

    private static func level(_ way: Double) -> Double {
        for (a, b) in zip(corners, corners.dropFirst()) where way <= b.way {
            return a.level + (way - a.way) / (b.way - a.way) * (b.level - a.level)
        }
        return corners[corners.count - 1].level
    }
}
