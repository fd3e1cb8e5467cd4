/// Suggestions for a name that does not exist.
enum NearNames {
    /// Returns the identifiers similar to `word`, or with similar names, the nearest first: at most three.
    ///
    /// Similar, whatever the capitals: edits of at most a third of the longer one's bytes, or one (3 bytes at least)
    /// within the other. Time for each entry: O(product of the lengths).
    static func near(_ word: String, among entries: [(identifier: String, name: String)]) -> [String] {
        let wanted = Array(word.lowercased().utf8)
        guard !wanted.isEmpty else { return [] }
        let ranked = entries.compactMap { entry -> (rank: Int, identifier: String)? in
            let ranks = [entry.identifier, entry.name].compactMap { rank(Array($0.lowercased().utf8), wanted) }
            return ranks.min().map { ($0, entry.identifier) }
        }
        return ranked.sorted { ($0.rank, $0.identifier) < ($1.rank, $1.identifier) }.prefix(3).map(\.identifier)
    }

    /// Returns the rank of a name: its edits, or 1000 more where one only contains the other; nil if not similar.
    private static func rank(_ name: [UInt8], _ wanted: [UInt8]) -> Int? {
        let edits = distance(name, wanted)
        if edits <= max(name.count, wanted.count) / 3 { return edits }
        // A match by containment alone ranks after all matches by edits.
        let (short, long) = name.count < wanted.count ? (name, wanted) : (wanted, name)
        guard short.count >= 3, long.indices.contains(where: { long[$0...].starts(with: short) }) else { return nil }
        return 1000 + long.count - short.count
    }

    /// Returns the least number of letters inserted, removed or changed between two words (Levenshtein 1966).
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
