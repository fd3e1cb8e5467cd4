/// Stamps that show whether other bundles' presets for a bundle's plugins have changed since the bundle was described.
struct PresetStamps {
    private var holders: [String: Set<String>] = [:]
    private let stamps: [String: String]

    /// Creates the stamps from the records of all bundles and the stamps of their files.
    init(_ records: some Sequence<BundleRecord>, stamps: [String: String]) {
        self.stamps = stamps
        for record in records {
            for owner in record.head.presetOwners { holders[owner, default: []].insert(record.head.bundle) }
        }
    }

    /// Returns the stamp for a bundle; "none" if no other bundle has presets for its plugins.
    func stamp(for record: BundleRecord) -> String {
        var others = record.head.plugins.reduce(into: Set<String>()) { $0.formUnion(holders[$1.identifier] ?? []) }
        others.remove(record.head.bundle)
        return others.isEmpty
            ? "none"
            : BundleStamp.name(of: others.sorted().map { $0 + " " + (stamps[$0] ?? "") }.joined(separator: "\n"))
    }
}
