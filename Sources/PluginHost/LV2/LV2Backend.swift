import Foundation

/// Plugins of the LV2 kind, read with lilv.
package struct LV2Backend: PluginBackend {
    package let searchPath: [String]
    private let presets: LV2PresetIndex

    /// Plugins under a search path; nil: what LV2_PATH says, or else the folders where this system keeps them.
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

    /// Where LV2 plugins are by an environment: LV2_PATH, or lilv's own order of folders on Debian.
    static func systemPath(_ environment: [String: String]) -> [String] {
        let home = environment["HOME"] ?? ""
        let given = environment["LV2_PATH"].flatMap { $0.isEmpty ? nil : $0 }
        let usual = ["~/.lv2"] + Self.multiarch.map { "/usr/lib/\($0)/lv2" } + ["/usr/lib/lv2", "/usr/local/lib/lv2"]
        let folders = given?.split(separator: ":").map(String.init) ?? usual
        // A child gets paths of bundles as arguments, among which one that begins with a dash is an option.
        return folders.map { $0.hasPrefix("~/") ? home + $0.dropFirst() : plain($0.hasPrefix("-") ? "./" + $0 : $0) }
    }

    /// Debian's name of this machine's kind, in folders of libraries.
    private static var multiarch: [String] {
        #if arch(x86_64)
            ["x86_64-linux-gnu"]
        #elseif arch(arm64)
            ["aarch64-linux-gnu"]
        #else
            []
        #endif
    }

    /// Folders with a manifest under a search path, by name; of two with the same name in one place, both.
    private static func bundles(under path: [String]) -> [String] {
        path.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().filter { !$0.hasPrefix(".") }.map { folder + "/" + $0 }.filter {
                FileManager.default.fileExists(atPath: $0 + "/manifest.ttl") || $0.hasSuffix(".lv2")
            }
        }
    }

    /// A path without the slash at its end.
    private static func plain(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
