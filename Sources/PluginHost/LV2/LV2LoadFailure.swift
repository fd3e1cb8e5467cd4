import CLilv
import CPlugins
import Glibc

/// Finds out why a plugin's code created no instance, by repeating lilv's steps. lilv reports the reason only to the
/// terminal.
enum LV2LoadFailure {
    /// Returns the reason as text.
    static func reason(_ plugin: OpaquePointer, identifier: String) -> String {
        guard let path = LV2Refusal.path(of: lilv_plugin_get_library_uri(plugin)) else {
            return "its manifest names no file with its code"
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            return "its code cannot be loaded: \(dlerror().map { String(cString: $0) } ?? path)"
        }
        defer { dlclose(library) }
        if let symbol = dlsym(library, "lv2_lib_descriptor") {
            typealias Features = UnsafePointer<UnsafePointer<LV2_Feature>?>
            typealias Library = UnsafePointer<LV2_Lib_Descriptor>
            typealias Open = @convention(c) (UnsafePointer<CChar>?, Features?) -> Library?
            var features: UnsafePointer<LV2_Feature>?
            let folder = String(path.dropLast(name.count))
            let opened = unsafeBitCast(symbol, to: Open.self)(folder, &features)
            guard let opened else { return "\(name): its function lv2_lib_descriptor returns no library of plugins" }
            defer { opened.pointee.cleanup?(opened.pointee.handle) }
            return answer(name, identifier) { opened.pointee.get_plugin(opened.pointee.handle, $0) }
        }
        guard let symbol = dlsym(library, "lv2_descriptor") else {
            return "\(name) is no LV2 plugin: it has no function lv2_descriptor"
        }
        typealias Descriptor = @convention(c) (UInt32) -> UnsafePointer<LV2_Descriptor>?
        return answer(name, identifier, unsafeBitCast(symbol, to: Descriptor.self))
    }

    /// Returns the fault in a library's list of plugins. If the plugin is in the list, the text says that the plugin
    /// gave no reason.
    private static func answer(
        _ name: String, _ identifier: String, _ plugin: (UInt32) -> UnsafePointer<LV2_Descriptor>?
    ) -> String {
        var uris: [String] = []
        for index in 0..<UInt32(4096) {
            guard let found = plugin(index) else { break }
            guard let uri = found.pointee.URI else { continue }
            uris.append(String(cString: uri))
        }
        if uris.contains(identifier) { return "it created no instance and gave no reason" }
        let those = uris.isEmpty ? "it has none" : "it has " + uris.prefix(4).joined(separator: ", ")
        return "\(name) has no plugin of this name; \(those)"
    }
}
