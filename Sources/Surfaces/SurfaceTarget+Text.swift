import Foundation
import Stages

extension SurfaceTarget {
    /// Returns a value as text for displays of six characters, for example `-12.5`, `+3.0`, `off`, `120`, `0.25`.
    package func text(of value: ParameterValue) -> String {
        switch value {
        case .word(let word): return String(word.prefix(6))
        case .numbers(let numbers):
            guard part < numbers.count, part < scale.numbers.count else { return "" }
            let (number, unit) = (numbers[part], scale.numbers[part].unit)
            guard number.isFinite else { return "" }
            if scale.numbers[part].isWhole { return String(format: "%.0f", number.rounded()) }
            if unit == "dB" || unit == "LUFS" {
                let rounded = (number * 10).rounded() / 10
                return (unit == "dB" && rounded > 0 ? "+" : "") + String(format: "%.1f", rounded == 0 ? 0 : rounded)
            }
            let span = scale.numbers[part].range.upperBound - scale.numbers[part].range.lowerBound
            let digits = span <= 2 ? 2 : span <= 20 ? 1 : 0
            let rounded = (number * pow(10, Double(digits))).rounded() / pow(10, Double(digits))
            return String(format: "%.\(digits)f", rounded == 0 ? 0 : rounded)
        }
    }
}
