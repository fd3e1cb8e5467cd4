/// A command line that a shell splits into the words from which the line was made.
package struct ShellLine {
    /// The line.
    package let text: String

    /// Creates a line of words. A word that a shell would change is put in quotes.
    package init(_ words: [String]) { text = words.map(Self.quoted).joined(separator: " ") }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-=,:+@%".contains($0)) }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
