/// Change of a command line after which the refused command succeeds.
package struct Remedy: Sendable, Hashable {
    private enum Change: Hashable {
        case option(String, value: String?)
        case word(String, by: String)
    }
    private let change: Change

    /// Sets an option, given with its dashes, to a value; nil removes the option.
    package init(_ option: String, _ value: String?) { change = .option(option, value: value) }

    /// Replaces a file's name by another. If several words are equal, the last one is replaced, because it is the
    /// output.
    package init(replacing name: String, by other: String) { change = .word(name, by: other) }

    /// Returns the words of a command line after the change.
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
