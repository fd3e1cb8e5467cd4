/// Suggestions for a name that does not exist.
enum NearNames {
    /// Returns the identifiers similar to `word`, or with similar names, the nearest first: at most three.
    ///
    /// Similar: equal but for capitals, one within the other, or at most a third of the letters different. Time for
    /// each entry: O(product of the lengths).
    static func near(_ word: String, among entries: [(identifier: String, name: String)]) -> [String] {
        let wanted = Array(word.lowercased().utf8)
        guard !wanted.isEmpty else { return [] }
        let ranked = entries.compactMap { entry -> (rank: Int, identifier: String)? in
            let ranks = [entry.identifier, entry.name].compactMap { rank(Array($0.lowercased().utf8), wanted) }
            return ranks.min().map { ($0, entry.identifier) }
        }
        return ranked.sorted { ($0.rank, $0.identifier) < ($1.rank, $1.identifier) }.prefix(3).map(\.identifier)
    }

    /// Returns the distance of a name from the wanted one, in edits; nil where it is too far.
    private static func rank(_ name: [UInt8], _ wanted: [UInt8]) -> Int? {
        let edits = distance(name, wanted)
        if edits <= max(name.count, wanted.count) / 3 { return edits }
        // A name within another ranks after all similar ones.
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
