import Foundation
import Stages

/// Law between a number and the position of a fader or knob: 0 at its lower or left end, 1 at its upper or right end.
///
/// Ranges in dB from −60 or lower to 0 or higher follow the scale of programme meters (IEC 60268-18, Table 1), extended
/// above 0 dB with the same slope. Of the distance from −70 dB to 0 dB, the upper half covers 20 dB. The lower end is
/// at −70 dB, or at the lower end of the range if that is higher. For logarithmic controls of plugins, such as
/// frequencies, equal distances multiply the value by equal factors. All other numbers are linear.
package struct FaderLaw: Sendable, Equatable {
    /// Values at both ends.
    package let range: ClosedRange<Double>
    /// Whether the law is the scale of programme meters.
    package let isMeter: Bool
    /// Whether values are whole numbers.
    let isWhole: Bool
    /// Whether equal distances multiply the value by equal factors.
    let isLogarithmic: Bool

    /// Level at the upper end of the meter scale, dB. It is lower if the range ends lower, and the surface's map may
    /// set another.
    package static let head = 10.0
    /// Level at the lower end of faders, dB.
    package static let foot = -70.0

    /// Creates the law of a number.
    ///
    /// - Parameters:
    ///   - from: value at the lower end; a given value excludes the meter scale.
    ///   - to: value at the upper end. Both values are clamped to the number's range.
    ///   - isLogarithmic: whether equal distances multiply the value by equal factors; only if both ends are above 0.
    package init(
        _ number: Parameter.Number, from: Double? = nil, to: Double? = nil, isLogarithmic: Bool = false
    ) {
        let whole = number.range
        isMeter = from == nil && number.unit == "dB" && whole.lowerBound <= -60 && (to ?? whole.upperBound) >= 0
        isWhole = number.isWhole
        let upper = to ?? (isMeter ? min(whole.upperBound, Self.head) : whole.upperBound)
        let lower = from ?? (isMeter ? max(whole.lowerBound, Self.foot) : whole.lowerBound)
        let (first, last) = (min(max(lower, whole.lowerBound), whole.upperBound), min(upper, whole.upperBound))
        // For whole numbers, the ends are rounded inward.
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

    /// Returns the position of a value, 0…1. Values outside the range have the position of the nearer end.
    package func position(of value: Double) -> Double {
        let value = min(range.upperBound, max(range.lowerBound, value))
        guard range.upperBound > range.lowerBound else { return 0 }
        if isLogarithmic { return log(value / range.lowerBound) / log(range.upperBound / range.lowerBound) }
        guard isMeter else { return (value - range.lowerBound) / (range.upperBound - range.lowerBound) }
        let (first, last) = (Self.deflection(range.lowerBound), Self.deflection(range.upperBound))
        return (Self.deflection(value) - first) / (last - first)
    }

    /// Corners of the meter scale: level in dB, and distance from the lower end in per cent of the distance from −70 to
    /// 0 dB.
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
