import Foundation

/// LV2 plugins, read with lilv.
package struct LV2Backend: PluginBackend {
    package let searchPath: [String]
    private let presets: LV2PresetIndex

    /// Creates a backend for a search path. Nil means LV2_PATH, or else the default folders of this system.
    package init(searchPath: [String]? = nil) {
        let path = searchPath ?? Self.systemPath(ProcessInfo.processInfo.environment)
        self.searchPath = path
        presets = LV2PresetIndex { Self.bundles(under: path) }
    }

    package func bundles() -> [String] { Self.bundles(under: searchPath) }

    package func describe(bundle: String) throws(PluginError) -> [PluginDescription] {
        try LV2Describer(path: searchPath, presets: presets).describe(bundle: Self.plain(bundle))
    }

    package func presetOwners(of bundle: String) -> [String] { presets.plugins(of: Self.plain(bundle)).sorted() }

    package func instantiate(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError)
        -> any PluginInstance
    {
        try LV2Maker(path: searchPath, presets: presets).make(plugin, setup)
    }

    /// Returns the search path of an environment: LV2_PATH, or else the folders that lilv searches on Debian, in lilv's
    /// order.
    static func systemPath(_ environment: [String: String]) -> [String] {
        let home = environment["HOME"] ?? ""
        let given = environment["LV2_PATH"].flatMap { $0.isEmpty ? nil : $0 }
        let usual = ["~/.lv2"] + Self.multiarch.map { "/usr/lib/\($0)/lv2" } + ["/usr/lib/lv2", "/usr/local/lib/lv2"]
        let folders = given?.split(separator: ":").map(String.init) ?? usual
        // Paths of bundles become arguments of a child, in which a leading dash would mark an option.
        return folders.map { $0.hasPrefix("~/") ? home + $0.dropFirst() : plain($0.hasPrefix("-") ? "./" + $0 : $0) }
    }

    /// Debian's name of this machine's architecture, which is part of library folders.
    private static var multiarch: [String] {
        #if arch(x86_64)
            ["x86_64-linux-gnu"]
        #elseif arch(arm64)
            ["aarch64-linux-gnu"]
        #else
            []
        #endif
    }

    /// Returns the entries in the folders of a search path that have a manifest or a name ending in .lv2, without
    /// hidden ones. They are sorted by name within each folder.
    private static func bundles(under path: [String]) -> [String] {
        path.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().filter { !$0.hasPrefix(".") }.map { folder + "/" + $0 }.filter {
                FileManager.default.fileExists(atPath: $0 + "/manifest.ttl") || $0.hasSuffix(".lv2")
            }
        }
    }

    /// Returns a path without its final slash.
    private static func plain(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
