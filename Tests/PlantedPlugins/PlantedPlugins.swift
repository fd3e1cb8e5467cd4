import Foundation

/// LV2 plugins of our own for tests, compiled once per test process into a temporary folder when first asked for: some
/// do what they say, some do harm, and some bundles are wrong. What each does stands in its C source under `Effects`.
/// All throw where something is missing on this machine to compile them, and say what.
package enum PlantedPlugins {
    /// A folder of plugins that do what they say: `gain`, `delay`, `filter`, `eight`, `twelve`, `fixed`.
    package static func sound() throws -> String { try soundFolder.get() }
    /// A folder of plugins that crash, hang, or send and keep what no host can use.
    package static func harmful() throws -> String { try harmfulFolder.get() }
    /// A folder of bundles whose Turtle or binary is wrong.
    package static func faulty() throws -> String { try faultyFolder.get() }
    /// A folder of two bundles that do what they say, `gain` and `delay`, among others whose description cannot be read
    /// to an end: `bottomless` ends the process that reads it, `fountain` holds it up, as do the manifests of two more.
    package static func treacherous() throws -> String { try treacherousFolder.get() }

    /// The URI of a planted plugin.
    package static func uri(_ name: String) -> String { "urn:proscenium:planted:\(name)" }

    private static let soundFolder = Result { try plant(PlantedBundle.sound, in: "sound") }
    private static let harmfulFolder = Result { try plant(PlantedBundle.harmful, in: "harmful") }
    private static let faultyFolder = Result { try plant(PlantedBundle.faulty, in: "faulty") }
    private static let treacherousFolder = Result { try plant(PlantedBundle.treacherous, in: "treacherous") }

    /// Where they all lie; taken away when the process ends.
    private static let root: String = {
        atexit { try? FileManager.default.removeItem(atPath: PlantedPlugins.place) }
        return place
    }()
    private static let place = FileManager.default.temporaryDirectory
        .appendingPathComponent("planted-\(ProcessInfo.processInfo.processIdentifier)").path

    private static func plant(_ bundles: [PlantedBundle], in name: String) throws -> String {
        let compiler = try Compiler()
        let effects = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Effects").path
        let folder = root + "/" + name
        for bundle in bundles { try bundle.plant(in: folder, effects: effects, compiler: compiler) }
        return folder
    }
}
