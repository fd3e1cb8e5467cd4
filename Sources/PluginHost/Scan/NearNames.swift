/// Suggestions for an identifier that does not exist.
enum NearNames {
    /// Returns the identifiers of at most three entries whose identifier or name is similar to `word`, the nearest
    /// first.
    ///
    /// Capitals are ignored. Words are similar if the number of edits is at most a third of the longer word's bytes, or
    /// if the shorter word has at least 3 bytes and is contained in the longer one. Time for each entry: O(product of
    /// the lengths).
    static func near(_ word: String, among entries: [(identifier: String, name: String)]) -> [String] {
        let wanted = Array(word.lowercased().utf8)
        guard !wanted.isEmpty else { return [] }
        let ranked = entries.compactMap { entry -> (rank: Int, identifier: String)? in
            let ranks = [entry.identifier, entry.name].compactMap { rank(Array($0.lowercased().utf8), wanted) }
            return ranks.min().map { ($0, entry.identifier) }
        }
        return ranked.sorted { ($0.rank, $0.identifier) < ($1.rank, $1.identifier) }.prefix(3).map(\.identifier)
    }

    /// Returns the rank of a name; nil if it is not similar. The rank is the number of edits. If one word only contains
    /// the other, the rank is 1000 plus the difference of the lengths.
    private static func rank(_ name: [UInt8], _ wanted: [UInt8]) -> Int? {
        let edits = distance(name, wanted)
        if edits <= max(name.count, wanted.count) / 3 { return edits }
        // A match by containment alone ranks after all matches by edits.
        let (short, long) = name.count < wanted.count ? (name, wanted) : (wanted, name)
        guard short.count >= 3, long.indices.contains(where: { long[$0...].starts(with: short) }) else { return nil }
        return 1000 + long.count - short.count
    }

    /// Returns the least number of bytes inserted, removed or changed between two words (Levenshtein 1966).
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for i in a.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let changed = diagonal + (a[i] == b[j] ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(changed, diagonal + 1, row[j] + 1)
            }
        }
        return row[b.count]
    }
}
