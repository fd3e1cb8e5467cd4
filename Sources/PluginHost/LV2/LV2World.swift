import CLilv
import CPlugins
import Foundation

/// lilv's data of some bundles, protected by a lock, because one thread at a time may use a lilv world.
///
/// Only requested bundles are read. Each description and each instance has its own world, so that a hanging plugin
/// delays no other.
final class LV2World: Sendable {
    /// Invariant (reason for `@unchecked Sendable`): the world is used only under `lock`.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }
    private let handle: Handle
    private let lock = NSLock()

    /// Creates an empty world. Ends the program if memory is exhausted.
    init() {
        guard let world = lilv_world_new() else { preconditionFailure("lilv cannot create a world") }
        handle = Handle(pointer: world)
    }

    deinit { lilv_world_free(handle.pointer) }

    /// Calls `body` with lilv's world, exclusively. `body` may keep only the plugin's own objects, which exist as long
    /// as the world.
    func use<Result, Failure: Error>(_ body: (Reader) throws(Failure) -> Result) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(Reader(world: handle.pointer))
    }

    /// A world while it is in use.
    struct Reader {
        /// lilv's pointer.
        let world: OpaquePointer

        /// Reads a bundle's manifest. lilv reads the files that the manifest names when they are needed.
        func load(bundle: String) {
            let folder = bundle.hasSuffix("/") ? bundle : bundle + "/"
            guard let node = lilv_new_file_uri(world, nil, folder) else { return }
            lilv_world_load_bundle(world, node)
            lilv_node_free(node)
        }

        /// Reads the standard's classes, units and parameters from its bundles in the folders `path`.
        func loadSpecifications(under path: [String]) {
            for name in ["core.lv2", "lv2core.lv2", "units.lv2", "parameters.lv2"] {
                for folder in path where access(folder + "/" + name + "/manifest.ttl", R_OK) == 0 {
                    load(bundle: folder + "/" + name)
                    break
                }
            }
            lilv_world_load_specifications(world)
            lilv_world_load_plugin_classes(world)
        }

        /// Returns the plugin with a URI from the bundles that were read; nil if they do not contain it.
        func plugin(_ uri: String) -> OpaquePointer? {
            withNode(uri) { lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), $0) }
        }

        /// Calls `body` with the node of a URI. Returns nil if the URI is invalid or `body` returns nil.
        func withNode<Result, Failure: Error>(
            _ uri: String, _ body: (OpaquePointer) throws(Failure) -> Result?
        ) throws(Failure) -> Result? {
            guard let node = lilv_new_uri(world, uri) else { return nil }
            defer { lilv_node_free(node) }
            return try body(node)
        }

        /// Returns the texts of all objects of a subject and a predicate.
        func objects(_ subject: OpaquePointer, _ predicate: String) -> [String] {
            withNode(predicate) { predicate in
                lilv_world_find_nodes(world, subject, predicate, nil).map { Self.texts(taking: $0) }
            } ?? []
        }

        /// Whether the data contain a statement.
        func says(_ subject: OpaquePointer, _ predicate: String, _ object: String) -> Bool {
            withNode(predicate) { predicate in
                withNode(object) { lilv_world_ask(world, subject, predicate, $0) }
            } ?? false
        }

        /// Returns the texts of a list of nodes, and frees it.
        static func texts(taking nodes: UnsafeMutableRawPointer) -> [String] {
            defer { lilv_nodes_free(nodes) }
            return items(nodes).map { text($0) }
        }

        /// Returns the nodes of a list; they exist as long as the list.
        static func items(_ nodes: UnsafeRawPointer?) -> [OpaquePointer] {
            guard let nodes else { return [] }
            var found: [OpaquePointer] = []
            var place = lilv_nodes_begin(nodes)
            while !lilv_nodes_is_end(nodes, place) {
                if let node = lilv_nodes_get(nodes, place) { found.append(node) }
                place = lilv_nodes_next(nodes, place)
            }
            return found
        }

        /// Returns the text of a node; empty for nil.
        static func text(_ node: OpaquePointer?) -> String {
            guard let node, let text = lilv_node_as_string(node) else { return "" }
            return String(cString: text)
        }

        /// Returns the text of a node, and frees it.
        static func text(taking node: OpaquePointer?) -> String {
            defer { lilv_node_free(node) }
            return text(node)
        }
    }
}
