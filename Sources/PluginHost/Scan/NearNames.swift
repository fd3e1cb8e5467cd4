/// What may have been meant by a name that does not exist.
enum NearNames {
    /// Identifiers that are near `word`, or whose names are, the nearest first: at most three.
    ///
    /// Near is: the same but for capitals, one within the other, or not more than a third of the letters apart. Takes
    /// time with the product of the lengths for each entry.
    static func near(_ word: String, among entries: [(identifier: String, name: String)]) -> [String] {
        let wanted = Array(word.lowercased().utf8)
        guard !wanted.isEmpty else { return [] }
        let ranked = entries.compactMap { entry -> (rank: Int, identifier: String)? in
            let ranks = [entry.identifier, entry.name].compactMap { rank(Array($0.lowercased().utf8), wanted) }
            return ranks.min().map { ($0, entry.identifier) }
        }
        return ranked.sorted { ($0.rank, $0.identifier) < ($1.rank, $1.identifier) }.prefix(3).map(\.identifier)
    }

    /// How far a name is from what was wanted, in edits; nil: too far to be meant.
    private static func rank(_ name: [UInt8], _ wanted: [UInt8]) -> Int? {
        let edits = distance(name, wanted)
        if edits <= max(name.count, wanted.count) / 3 { return edits }
        // One within the other counts behind all that are alike.
        let (short, long) = name.count < wanted.count ? (name, wanted) : (wanted, name)
        guard short.count >= 3, long.indices.contains(where: { long[$0...].starts(with: short) }) else { return nil }
        return 1000 + long.count - short.count
    }

    /// Letters put in, taken out or changed to make one word of the other (Levenshtein 1966).
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
