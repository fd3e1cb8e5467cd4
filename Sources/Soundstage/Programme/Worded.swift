/// A choice that users, metadata and motion logs know by a word.
package protocol Worded: CaseIterable {
    /// The choice in a word.
    var word: String { get }
}

extension Worded {
    /// The choice of a word; nil for any other word.
    package init?(word: String) {
        guard let choice = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = choice
    }
}
