/// Change of a command line with which the refused work is done.
package struct Remedy: Sendable, Hashable {
    /// Option that changes, with its dashes.
    package let option: String
    /// Its value; nil where the option is to be left out.
    package let value: String?

    /// The option with a value.
    package init(_ option: String, _ value: String?) { (self.option, self.value) = (option, value) }

    /// Returns the words of a line with the change.
    package func applied(to words: [String]) -> [String] {
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
