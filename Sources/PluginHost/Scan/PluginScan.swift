import Foundation

/// Scan for plugins. Unchanged bundles are read from the cache. All others are described in child processes, so that no
/// bundle can block or crash this process. May be used on any thread except the audio thread.
package struct PluginScan: Sendable {
    private let backend: any PluginBackend
    private let cache: PluginCache
    private let program: String
    private let words: [String]
    private let secondsPerBundle: Double

    /// Creates a scan.
    ///
    /// - Parameters:
    ///   - backend: backend of the plugins.
    ///   - cache: cache of the records.
    ///   - program: program of the children; by default this program itself.
    ///   - words: arguments before the paths of the bundles; the program must run `ScanningChild`.
    ///   - secondsPerBundle: longest time for which a child may send no line, s.
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

    /// Returns all plugins. Starts child processes for new and changed bundles, and for bundles with plugins whose
    /// presets in other bundles have changed; for all bundles if `fresh`.
    ///
    /// - Throws: `noChild`.
    package func catalogue(fresh: Bool = false) throws(PluginError) -> PluginCatalogue {
        let bundles = backend.bundles()
        let look = look(at: bundles)
        let missing = fresh ? bundles : bundles.filter { look.known[$0] == nil }
        return try complete(look, with: missing, of: bundles)
    }

    /// Returns one plugin, from the cache if possible. If the cache does not have the plugin, child processes are
    /// started as by `catalogue`.
    ///
    /// - Throws: `unknown`, with similar identifiers; `noChild`.
    package func find(_ identifier: String) throws(PluginError) -> PluginDescription {
        let bundles = backend.bundles()
        let look = look(at: bundles)
        let known = PluginCatalogue(bundles.compactMap { look.known[$0] })
        if let plugin = known.description(of: identifier) { return plugin }
        // A bundle whose head names the plugin but whose line cannot be decoded is described again.
        let broken = known.plugins.first { $0.identifier == identifier }?.bundle
        let missing = bundles.filter { look.known[$0] == nil || $0 == broken }
        let all = try complete(look, with: missing, of: bundles)
        if let plugin = all.description(of: identifier) { return plugin }
        throw .unknown(identifier: identifier, near: all.near(identifier))
    }

    /// Content of the cache for all bundles.
    private struct Look {
        var stamps: [String: String] = [:]
        var known: [String: BundleRecord] = [:]
        /// Stamps of other bundles' presets at the time when each bundle was described.
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
        // Bundles with plugins whose presets in other bundles have changed.
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
                "the result of the scan cannot be kept in \(cache.folder): \(reason); the next scan takes as long")
        }
        return catalogue
    }

    /// Stores the records; returns the reason if that fails. Untried bundles are not stored, so that the next scan
    /// tries them. Bundles that cannot be read are not stored either.
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
