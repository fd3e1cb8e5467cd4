import Gate
import Signal

/// A parameter's value: its numbers in the row's order and unit, or a word or text.
package enum ParameterValue: Sendable, Hashable {
    /// All numbers of the row; none for `unsaid`.
    case numbers([Double])
    /// One of the row's words, or a text.
    case word(String)

    /// Greatest count of numbers in one value, many times that of any row.
    package static let mostNumbers = 64

    /// The value as text: a list of its numbers, or its word.
    package var written: [String] {
        switch self {
        case .numbers(let numbers): numbers.map { Int(exactly: $0).map(String.init) ?? String($0) }
        case .word(let word): [word]
        }
    }

    /// The numbers; none for a word.
    package var numbers: [Double] { if case .numbers(let numbers) = self { numbers } else { [] } }

    /// The first number; 0 for a word.
    package var number: Double { numbers.first ?? 0 }

    /// The word; empty for numbers.
    package var word: String { if case .word(let word) = self { word } else { "" } }
}

/// Conversions of values. Rounding makes a value that is read back equal to the value that was set. It is inaudible and
/// invisible, and much finer than the digits with which values are written.
extension ParameterValue {
    /// No value: restores a parameter without a default when its first value is undone.
    package static let unsaid = ParameterValue.numbers([])

    /// Returns a value of one number.
    package static func number(_ number: Double) -> ParameterValue { .numbers([number]) }

    /// Returns `on` or `off`.
    package static func isOn(_ isOn: Bool) -> ParameterValue { .word(isOn ? "on" : "off") }

    /// Returns a linear gain > 0 in dB, rounded to 1e-5.
    package static func decibels(ofAmplitude amplitude: Float) -> ParameterValue {
        .number((Decibels(amplitude: Double(amplitude)).value * 1e5).rounded() / 1e5 + 0)
    }

    /// Converts radians to degrees, rounded to 1e-6.
    package static func degrees(_ radians: Double) -> Double { (radians * 180 / Double.pi * 1e6).rounded() / 1e6 + 0 }

    /// Returns a share 0…1, rounded to 1e-6.
    package static func share(_ share: Float) -> Double { (Double(share) * 1e6).rounded() / 1e6 }
}

extension ParameterValue: Decodable {
    /// Decodes a number, a list of numbers, or a text from JSON.
    package init(from decoder: any Decoder) throws {
        guard let value = try JSONValue(from: decoder).parameterValue else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "This is no value of a parameter."))
        }
        self = value
    }
}

/// Reasons why a parameter cannot be set.
package enum ParameterError: Error, Sendable, CustomStringConvertible {
    /// There is no parameter of this name.
    case unknown(String, known: [String])
    /// The value is not valid for the parameter; `takes` lists the valid values.
    case value(String, of: String, takes: String)
    /// The parameter belongs to the session, and an input was named.
    case notOfInputs(String)

    /// The error and the valid values, in words.
    package var description: String {
        switch self {
        case .unknown(let name, let known):
            "there is no parameter '\(name)'; \(NearestWord.among(known, for: name).map { "the nearest is '\($0)'; " } ?? "")"
                + "there are \(known.joined(separator: ", "))"
        case .value(let written, let parameter, let takes):
            "\(parameter) takes \(takes)" + (written.isEmpty ? "" : ", not '\(written)'")
        case .notOfInputs(let name): "\(name) is of the whole session, not of an input"
        }
    }
}

extension JSONValue {
    /// Converts a parameter's value to a number, a list of numbers, or a text.
    package init(_ value: ParameterValue) {
        switch value {
        case .numbers(let numbers) where numbers.count == 1: self = .number(numbers[0])
        case .numbers(let numbers): self = .list(numbers.map { .number($0) })
        case .word(let word): self = .text(word)
        }
    }

    /// The JSON value as a parameter's value; nil if it cannot be one.
    package var parameterValue: ParameterValue? {
        switch self {
        case .number, .whole: return number.map { .numbers([$0]) }
        case .text(let word): return .word(word)
        case .list(let list):
            guard list.count <= ParameterValue.mostNumbers else { return nil }
            let numbers = list.map { $0.number ?? .nan }
            return numbers.contains { $0.isNaN } ? nil : .numbers(numbers)
        case .null, .truth, .object: return nil
        }
    }
}
