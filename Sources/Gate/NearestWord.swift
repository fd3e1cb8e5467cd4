/// Suggests the known word that was probably meant by a misspelt word.
package enum NearestWord {
    /// Returns the known word nearest to `written`; nil if none is near.
    ///
    /// A word is near if `written` has at least three letters and is the beginning of this word and of no other known
    /// word. It is also near if at most a third of the letters of the longer word are inserted, deleted, replaced or
    /// exchanged with their neighbour (Damerau 1964, without further changes of exchanged letters). Case is ignored.
    /// Cost for each word: O(product of both lengths).
    package static func among(_ known: [String], for written: String) -> String? {
        let typed = Array(written.lowercased().prefix(longest))
        guard !typed.isEmpty else { return nil }
        if typed.count >= 3 {
            let begun = known.filter { $0.lowercased().hasPrefix(String(typed)) }
            if begun.count == 1 { return begun[0] }
        }
        let distances = known.map { word in
            (word: word, length: word.count, distance: distance(typed, Array(word.lowercased().prefix(longest))))
        }
        return distances.filter { 3 * $0.distance <= max(typed.count, $0.length) }.min { $0.distance < $1.distance }?
            .word
    }

    /// Greatest number of letters that are compared.
    private static let longest = 64

    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for (i, letter) in a.enumerated() {
            var row = [i + 1]
            for (j, other) in b.enumerated() {
                var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
