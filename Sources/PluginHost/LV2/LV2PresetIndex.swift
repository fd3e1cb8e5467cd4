import CLilv
import CPlugins
import Foundation
import Synchronization

/// Finds the bundles that contain presets for a plugin. Presets may be in other bundles than their plugins.
///
/// Each manifest is read once, and again after its size or time of modification has changed. Only manifests that
/// contain "appliesTo", which every preset states, are parsed.
final class LV2PresetIndex: Sendable {
    /// Time of modification, size and plugins of a manifest that was read.
    private struct Manifest {
        var changed: Date
        var bytes: Int
        /// URIs of the plugins for which the bundle has presets.
        var plugins: Set<String>
    }
    private let backend: @Sendable () -> [String]
    private let manifests = Mutex<[String: Manifest]>([:])

    /// Creates an index of the bundles that `bundles` returns.
    init(bundles: @escaping @Sendable () -> [String]) { backend = bundles }

    /// Returns the bundles with presets for at least one of the plugins. May be called on any thread.
    func bundles(for plugins: [String]) -> [String] {
        guard !plugins.isEmpty else { return [] }
        return backend().filter { !self.plugins(of: $0).isDisjoint(with: plugins) }
    }

    /// Returns the plugins for which a bundle has presets.
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
