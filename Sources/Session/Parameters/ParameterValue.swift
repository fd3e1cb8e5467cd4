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

    /// The numbers; none for a word.
    package var numbers: [Double] { if case .numbers(let numbers) = self { numbers } else { [] } }

    /// The first number; 0 for a word.
    package var number: Double { numbers.first ?? 0 }

    /// The word; empty for numbers.
    package var word: String { if case .word(let word) = self { word } else { "" } }
}

/// Why a parameter cannot be set as asked.
package enum ParameterError: Error, Sendable, CustomStringConvertible {
    /// There is no parameter of this name.
    case unknown(String, known: [String])
    /// The value is none of the parameter's, which takes something else.
    case value(String, of: String, takes: String)
    /// The parameter belongs to the session, and an input was named.
    case notOfInputs(String)
    /// The parameter is chosen when a session begins, and not afterwards.
    case onlyAtFirst(String)

    /// What is wrong, and what the parameter takes.
    package var description: String {
        switch self {
        case .unknown(let name, let known):
            "there is no parameter '\(name)'; there are \(known.joined(separator: ", "))"
        case .value(let written, let parameter, let takes):
            "\(parameter) takes \(takes)" + (written.isEmpty ? "" : ", not '\(written)'")
        case .notOfInputs(let name): "\(name) is of the whole session, not of an input"
        case .onlyAtFirst(let name): "\(name) is chosen when a session begins; start it with --\(name)"
        }
    }
}
