/// A choice that has a name in commands, metadata and motion logs.
package protocol Worded: CaseIterable {
    /// Name of the choice.
    var word: String { get }
}

extension Worded {
    /// Makes the choice with a name; nil for an unknown name.
    package init?(word: String) {
        guard let choice = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = choice
    }
}
