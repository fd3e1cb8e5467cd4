import Foundation

/// Finds out what plugins there are: from the cache where nothing has changed, else in child processes, so that no
/// bundle can hold up or end this one. Any thread but the audio thread.
package struct PluginScan: Sendable {
    private let backend: any PluginBackend
    private let cache: PluginCache
    private let program: String
    private let words: [String]
    private let secondsPerBundle: Double

    /// A scan.
    ///
    /// - Parameters:
    ///   - backend: whose plugins.
    ///   - cache: where what was found is kept.
    ///   - program: what is started to describe bundles: this program itself, unless said.
    ///   - words: its arguments before the paths of the bundles; it must run `ScanningChild`.
    ///   - secondsPerBundle: how long it may be at one bundle.
    package init(
        _ backend: any PluginBackend, cache: PluginCache = PluginCache(), program: String = "/proc/self/exe",
        words: [String] = ["plugin", "scan-bundle"], secondsPerBundle: Double = 10
    ) {
        self.backend = backend
        self.cache = cache
        self.program = program
        self.words = words
        self.secondsPerBundle = secondsPerBundle
    }

    /// All plugins. Starts children for bundles that are new or have changed, for none where nothing has; `fresh`: for
    /// all.
    ///
    /// - Throws: `noChild`.
    package func catalogue(fresh: Bool = false) throws(PluginError) -> PluginCatalogue {
        let bundles = backend.bundles()
        let look = look(at: bundles)
        let missing = fresh ? bundles : bundles.filter { look.known[$0] == nil }
        return try complete(look, with: missing, of: bundles)
    }

    /// One plugin. Looks in the cache first; starts children only where it is not there, and then for what is new.
    ///
    /// - Throws: `unknown`, with those that are near; `noChild`.
    package func find(_ identifier: String) throws(PluginError) -> PluginDescription {
        let bundles = backend.bundles()
        let look = look(at: bundles)
        let known = PluginCatalogue(bundles.compactMap { look.known[$0] })
        if let plugin = known.description(of: identifier) { return plugin }
        // Named in a head whose own line cannot be understood: that bundle is described anew.
        let broken = known.plugins.first { $0.identifier == identifier }?.bundle
        let missing = bundles.filter { look.known[$0] == nil || $0 == broken }
        let all = try complete(look, with: missing, of: bundles)
        if let plugin = all.description(of: identifier) { return plugin }
        throw .unknown(identifier: identifier, near: all.near(identifier))
    }

    /// What the cache says of bundles.
    private struct Look {
        var stamps: [String: String] = [:]
        var known: [String: BundleRecord] = [:]
        /// What presets of other bundles they were described with.
        var presets: [String: String] = [:]
        var remarks: [String] = []
    }

    private func look(at bundles: [String]) -> Look {
        let own = BundleStamp.of(file: program)
        var look = Look()
        for bundle in bundles {
            guard let files = BundleStamp.of(bundle: bundle) else { continue }
            let stamp = own + "-" + files
            look.stamps[bundle] = stamp
            switch cache.read(bundle, stamp: stamp) {
            case .known(let record, let presets):
                look.known[bundle] = record
                look.presets[bundle] = presets
            case .unknown: break
            case .broken(let path): look.remarks.append("\(path) could not be understood; \(bundle) is scanned anew")
            }
        }
        return look
    }

    private func complete(
        _ look: Look, with missing: [String], of bundles: [String]
    ) throws(PluginError) -> PluginCatalogue {
        var known = look.known
        var scanner = BundleScanner(program: program, words: words, secondsPerBundle: secondsPerBundle)
        try scanner.describe(missing) { known[$0.head.bundle] = $0 }
        // Bundles of whose plugins others now hold more, fewer or other presets.
        let stamps = PresetStamps(known.values, stamps: look.stamps)
        let fresh = Set(missing)
        let stale = bundles.filter { bundle in
            guard let record = known[bundle], !fresh.contains(bundle) else { return false }
            return stamps.stamp(for: record) != look.presets[bundle]
        }
        try scanner.describe(stale) { known[$0.head.bundle] = $0 }
        var catalogue = PluginCatalogue(bundles.compactMap { known[$0] })
        catalogue.childrenStarted = scanner.started
        catalogue.remarks = look.remarks
        if let reason = keep((missing + stale).compactMap { known[$0] }, look.stamps, stamps) {
            catalogue.remarks.append(
                "what was found cannot be kept in \(cache.folder): \(reason); the next scan takes as long")
        }
        return catalogue
    }

    /// Keeps what was found; why not, where it cannot be. What was not tried is tried again next time.
    private func keep(_ records: [BundleRecord], _ stamps: [String: String], _ presets: PresetStamps) -> String? {
        for record in records where record.head.fault?.kind != .untried {
            guard let stamp = stamps[record.head.bundle] else { continue }
            do {
                try cache.write(record, stamp: stamp, presets: presets.stamp(for: record))
            } catch {
                return error.localizedDescription
            }
        }
        return nil
    }
}
