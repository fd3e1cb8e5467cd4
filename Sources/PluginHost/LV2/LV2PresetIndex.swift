import CLilv
import CPlugins
import Foundation
import Synchronization

/// Which bundles hold presets of which plugins: presets may be in other bundles than their plugins.
///
/// Reads the manifests that speak of presets, once, and again those that were changed.
final class LV2PresetIndex: Sendable {
    /// A manifest as it was when it was read.
    private struct Manifest {
        var changed: Date
        var bytes: Int
        /// URIs of the plugins it has presets of.
        var plugins: Set<String>
    }
    private let backend: @Sendable () -> [String]
    private let manifests = Mutex<[String: Manifest]>([:])

    /// An index of the bundles that `bundles` tells of.
    init(bundles: @escaping @Sendable () -> [String]) { backend = bundles }

    /// Bundles with presets of any of some plugins. Any thread.
    func bundles(for plugins: [String]) -> [String] {
        guard !plugins.isEmpty else { return [] }
        return backend().filter { !self.plugins(of: $0).isDisjoint(with: plugins) }
    }

    /// Plugins a bundle has presets of.
    func plugins(of bundle: String) -> Set<String> {
        let path = bundle + "/manifest.ttl"
        guard let file = try? FileManager.default.attributesOfItem(atPath: path),
            let changed = file[.modificationDate] as? Date, let bytes = (file[.size] as? NSNumber)?.intValue
        else { return [] }
        if let known = manifests.withLock({ $0[bundle] }), known.changed == changed, known.bytes == bytes {
            return known.plugins
        }
        let plugins = Self.read(bundle, manifest: path)
        manifests.withLock { $0[bundle] = Manifest(changed: changed, bytes: bytes, plugins: plugins) }
        return plugins
    }

    private static func read(_ bundle: String, manifest: String) -> Set<String> {
        // Most manifests speak of no preset: they need not be understood.
        guard TurtleGuard.fault(of: manifest) == nil, let text = try? Data(contentsOf: URL(fileURLWithPath: manifest)),
            text.range(of: Data("appliesTo".utf8)) != nil, TurtleFile.fault(of: manifest) == nil
        else { return [] }
        return LV2World().use { reader in
            reader.load(bundle: bundle)
            let found = reader.withNode(URIs.presets + "Preset") { kind in
                reader.withNode(URIs.rdf + "type") { lilv_world_find_nodes(reader.world, nil, $0, kind) }
            }
            guard let found else { return [] }
            defer { lilv_nodes_free(found) }
            return Set(LV2World.Reader.items(found).flatMap { reader.objects($0, URIs.core + "appliesTo") })
        }
    }
}
