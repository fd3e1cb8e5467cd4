/// Permitted values of an argument on the command line: a check, and a description in words.
package struct ArgumentLimit: Sendable {
    /// Permitted values, in words.
    package let words: String
    /// Returns whether a value is permitted, as it was typed.
    package let admits: @Sendable (String) -> Bool

    /// Creates a limit from its description and its check.
    package init(_ words: String, admits: @escaping @Sendable (String) -> Bool) {
        (self.words, self.admits) = (words, admits)
    }

    /// One of these words.
    package static func words(_ words: [String]) -> ArgumentLimit {
        let list = words.dropLast().joined(separator: ", ")
        return ArgumentLimit([list, words.last ?? ""].filter { !$0.isEmpty }.joined(separator: " or ")) {
            words.contains($0)
        }
    }

    /// A number within a range, in a unit.
    package static func number(_ range: ClosedRange<Double>, _ unit: String) -> ArgumentLimit {
        let ends = [range.lowerBound, range.upperBound].compactMap { CommandValue.number($0).written }
        return ArgumentLimit("\(ends.joined(separator: " to ")) \(unit)") { Double($0).map(range.contains) ?? false }
    }

    /// A whole number within a range, described by words.
    package static func whole(_ words: String, _ range: ClosedRange<Int>) -> ArgumentLimit {
        ArgumentLimit(words) { said in
            (Int(said) ?? Double(said).flatMap { Int(exactly: $0) }).map(range.contains) ?? false
        }
    }

    /// A text whose length in bytes is within a range.
    package static func text(_ bytes: ClosedRange<Int>) -> ArgumentLimit {
        ArgumentLimit("a text of \(bytes.lowerBound) to \(bytes.upperBound) bytes") { bytes.contains($0.utf8.count) }
    }

    /// A position in a chain of plugins.
    package static let position = whole("a whole number from 0 on", 0...Int.max)
}
