/// Change of a command line with which the refused work is done.
package struct Remedy: Sendable, Hashable {
    private enum Change: Hashable {
        case option(String, value: String?)
        case word(String, by: String)
    }
    private let change: Change

    /// Changes an option, with its dashes; `value` nil: it is left out.
    package init(_ option: String, _ value: String?) { change = .option(option, value: value) }

    /// Replaces a file's name by another; of several equal words the last, which is the output.
    package init(replacing name: String, by other: String) { change = .word(name, by: other) }

    /// Returns the words of a line with the change.
    package func applied(to words: [String]) -> [String] {
        switch change {
        case .word(let name, let other):
            var words = words
            if let last = words.lastIndex(of: name) { words[last] = other }
            return words
        case .option(let option, let value):
            var kept: [String] = []
            var isValue = false
            for word in words {
                if isValue {
                    isValue = false
                } else if word == option {
                    isValue = true
                } else if !word.hasPrefix(option + "=") {
                    kept.append(word)
                }
            }
            return kept + (value.map { [option, $0] } ?? [])
        }
    }
}
