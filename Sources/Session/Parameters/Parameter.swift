/// One row of the table of parameters: something a user may set, by whatever door.
///
/// A row says what the parameter is called, what values it takes and what it is for; `Parameter.all` has the rows. Doors (OSC,
/// `ctl`, keys) read values by the row and never by rules of their own, so that a range stands in one place.
package struct Parameter: Sendable, Identifiable {
    /// Its name: the word of `ctl`, and the end of its OSC address.
    package let id: String
    /// What it belongs to.
    package let scope: Scope
    /// Numbers it takes, in order; empty where it takes words only.
    package let numbers: [Number]
    /// Words it takes instead of numbers.
    package let words: [String]
    /// What it is for, in a phrase that stands after its name.
    package let help: String
    /// What it was called before; accepted for one release, with a hint.
    package let former: [String]
    /// What setting it does.
    let effect: Effect
    /// Why an input cannot take a value; nil where it can.
    let refusal: @Sendable (ProgrammeRefusal, ParameterValue) -> String?

    /// What a parameter belongs to.
    package enum Scope: Sendable {
        /// The session as a whole.
        case session
        /// Each input by itself; what is said without an input's name is said to all.
        case input
    }

    /// A number a parameter takes.
    package struct Number: Sendable, Equatable {
        /// What it is called where there is more than one.
        package var name = ""
        /// Its unit, as it is printed; empty for shares.
        package var unit: String
        /// What it may be.
        package var range: ClosedRange<Double>
        /// What it is where it is left out; nil: it must be given.
        package var omitted: Double?
        /// Whether only whole numbers are taken.
        package var isWhole = false
    }

    init(
        _ id: String, of scope: Scope, _ numbers: [Number] = [], words: [String] = [], former: [String] = [],
        _ help: String, effect: Effect,
        refusal: @escaping @Sendable (ProgrammeRefusal, ParameterValue) -> String? = { _, _ in nil }
    ) {
        self.id = id
        self.scope = scope
        self.numbers = numbers
        self.words = words
        self.former = former
        self.help = help
        self.effect = effect
        self.refusal = refusal
    }

    /// What it takes, for help and complaints: `-120 to 40 dB or off`, `yaw[ pitch[ roll]], -360 to 360 degrees each`.
    package var takes: String {
        let choice =
            words.count > 1 ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words.first
        guard let first = numbers.first else { return choice ?? "nothing" }
        func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
        let unit = first.unit.isEmpty ? "" : " " + first.unit
        let kind = first.isWhole ? ", whole" : ""
        var taken = "\(text(first.range.lowerBound)) to \(text(first.range.upperBound))\(unit)\(kind)"
        if numbers.count > 1 {
            taken =
                numbers.map { $0.omitted == nil ? $0.name : "[\($0.name)]" }.joined(separator: " ") + ", \(taken) each"
        }
        return taken + (choice.map { ", or \($0)" } ?? "")
    }

    /// Reads a value as it is written or sent: words and numbers apart, or joined by `,` or `:`.
    ///
    /// - Throws: `ParameterError.value` with what the parameter takes.
    package func value(of written: [String]) throws(ParameterError) -> ParameterValue {
        let error = ParameterError.value(written.joined(separator: " "), of: self)
        if written.count == 1, let word = Self.word(written[0], among: words) { return .word(word) }
        let parts = written.flatMap { $0.split(omittingEmptySubsequences: false) { $0 == "," || $0 == ":" } }
        guard !numbers.isEmpty, !parts.isEmpty, parts.count <= numbers.count else { throw error }
        var values: [Double] = []
        for (index, number) in numbers.enumerated() {
            guard index < parts.count else {
                guard let omitted = number.omitted else { throw error }
                values.append(omitted)
                continue
            }
            guard let value = Double(parts[index]), number.range.contains(value),
                !number.isWhole || value == value.rounded()
            else { throw error }
            values.append(value)
        }
        return .numbers(values)
    }

    /// A word of a list; switches may be said as numbers or truth values too.
    private static func word(_ text: String, among words: [String]) -> String? {
        if words.contains(text) { return text }
        guard words.contains("on"), words.contains("off") else { return nil }
        switch text {
        case "1", "1.0", "true": return "on"
        case "0", "0.0", "false": return "off"
        default: return nil
        }
    }

    /// Present names by former ones.
    package static let renamed = Dictionary(
        uniqueKeysWithValues: all.flatMap { parameter in parameter.former.map { ($0, parameter.id) } })

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// The parameter of a name, present or former; nil where there is none.
    package static func named(_ name: String) -> Parameter? { byName[name] ?? renamed[name].flatMap { byName[$0] } }
}

/// A parameter's value: its numbers in the row's order and unit, or a word.
package enum ParameterValue: Sendable, Hashable {
    /// All numbers of the row.
    case numbers([Double])
    /// One of the row's words.
    case word(String)

    /// As it is written: numbers with spaces between them.
    package var written: [String] {
        switch self {
        case .numbers(let numbers): numbers.map { Int(exactly: $0).map(String.init) ?? String($0) }
        case .word(let word): [word]
        }
    }

    /// The first number; 0 for a word.
    var number: Double { if case .numbers(let numbers) = self { numbers.first ?? 0 } else { 0 } }

    /// The word; empty for numbers.
    var word: String { if case .word(let word) = self { word } else { "" } }
}

/// A parameter that is to have a value.
package struct ParameterChange: Sendable, Hashable {
    /// The parameter's name in the table.
    package let parameter: String
    /// The value; valid for the parameter.
    package let value: ParameterValue
    /// The input it is meant for; nil: all, or the session.
    package let input: String?

    /// A change with a value that the parameter's row has read.
    package init(_ parameter: Parameter, _ value: ParameterValue, input: String? = nil) {
        self.parameter = parameter.id
        self.value = value
        self.input = input
    }

    /// A change in words: a parameter's name, present or former, and its value as written.
    ///
    /// - Throws: `ParameterError`: no such parameter, none of its values, or an input named for what belongs to the session.
    package init(_ name: String, _ written: [String], input: String? = nil) throws(ParameterError) {
        guard let parameter = Parameter.named(name) else { throw .unknown(name) }
        guard input == nil || parameter.scope == .input else { throw .notOfInputs(parameter.id) }
        self.init(parameter, try parameter.value(of: written), input: input)
    }
}

/// Why a parameter cannot be set as asked.
package enum ParameterError: Error, Sendable, CustomStringConvertible {
    /// There is no parameter of this name.
    case unknown(String)
    /// The value is none of the parameter's.
    case value(String, of: Parameter)
    /// The parameter belongs to the session, and an input was named.
    case notOfInputs(String)

    /// What is wrong, and what the parameter takes.
    package var description: String {
        switch self {
        case .unknown(let name):
            "there is no parameter '\(name)'; there are \(Parameter.all.map(\.id).joined(separator: ", "))"
        case .value(let written, of: let parameter):
            "\(parameter.id) takes \(parameter.takes)" + (written.isEmpty ? "" : ", not '\(written)'")
        case .notOfInputs(let name): "\(name) is of the whole session, not of an input"
        }
    }
}
