import Foundation
import Stages

/// Where a number stands on a fader or knob: 0 at its foot or left end, 1 at its head or right end.
///
/// Decibels over a wide range go by the scale of programme meters (IEC 60268-18, Table 1), on past 0 dB as before it:
/// the upper half is 20 dB wide below 0 dB, and the foot is at −70 dB. What a plugin has on a logarithmic scale, as
/// frequencies, goes by equal ratios. All else is even between its ends.
package struct FaderLaw: Sendable, Equatable {
    /// The values at both ends.
    package let range: ClosedRange<Double>
    /// Whether it goes by the meters' scale.
    package let isMeter: Bool
    /// Whether only whole numbers are taken.
    let isWhole: Bool
    /// Whether equal ways are equal ratios.
    let isLogarithmic: Bool

    /// The level that faders in dB end at, where the number goes further and nothing else is said.
    package static let head = 10.0
    /// The level at their foot.
    package static let foot = -70.0

    /// A number's law.
    ///
    /// - Parameters:
    ///   - from: the value at the foot; with it the way between is even.
    ///   - to: the value at the head. Both are brought into the number's range.
    ///   - isLogarithmic: equal ways are equal ratios, where both ends are above 0.
    package init(
        _ number: Parameter.Number, from: Double? = nil, to: Double? = nil, isLogarithmic: Bool = false
    ) {
        let whole = number.range
        isMeter = from == nil && number.unit == "dB" && whole.lowerBound <= -60 && (to ?? whole.upperBound) >= 0
        isWhole = number.isWhole
        let upper = to ?? (isMeter ? min(whole.upperBound, Self.head) : whole.upperBound)
        let lower = from ?? (isMeter ? max(whole.lowerBound, Self.foot) : whole.lowerBound)
        let (first, last) = (min(max(lower, whole.lowerBound), whole.upperBound), min(upper, whole.upperBound))
        // Of whole numbers only those between the ends.
        let (foot, head) = isWhole ? (first.rounded(.up), last.rounded(.down)) : (first, last)
        range = foot...max(foot, head)
        self.isLogarithmic = isLogarithmic && foot > 0
    }

    /// The value at a position, 0…1.
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

    /// Where a value stands, 0…1; what is beyond an end is at the end.
    package func position(of value: Double) -> Double {
        let value = min(range.upperBound, max(range.lowerBound, value))
        guard range.upperBound > range.lowerBound else { return 0 }
        if isLogarithmic { return log(value / range.lowerBound) / log(range.upperBound / range.lowerBound) }
        guard isMeter else { return (value - range.lowerBound) / (range.upperBound - range.lowerBound) }
        let (first, last) = (Self.deflection(range.lowerBound), Self.deflection(range.upperBound))
        return (Self.deflection(value) - first) / (last - first)
    }

    /// Corners of the meters' scale: dB, and per cent of the way to 0 dB.
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
