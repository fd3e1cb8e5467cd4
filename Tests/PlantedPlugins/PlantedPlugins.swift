import Foundation

/// LV2 plugins for tests: valid ones, harmful ones, and faulty bundles. At first use they are compiled into a temporary
/// folder, once per test process. The C sources in `Effects` describe what each does. If they cannot be compiled, all
/// functions throw an error that names what is missing.
package enum PlantedPlugins {
    /// Returns a folder of valid plugins: `gain`, `delay`, `filter`, `eight`, `twelve`, `fixed`.
    package static func sound() throws -> String { try soundFolder.get() }
    /// Returns a folder of plugins that crash, hang, or send and save data that no host can use.
    package static func harmful() throws -> String { try harmfulFolder.get() }
    /// A folder of bundles whose Turtle or binary is wrong.
    package static func faulty() throws -> String { try faultyFolder.get() }
    /// Returns a folder of two valid bundles, `gain` and `delay`, among others whose description cannot be read to its
    /// end: `bottomless` ends the process that reads it, `fountain` blocks this process, and the manifests of two more
    /// bundles do the same.
    package static func treacherous() throws -> String { try treacherousFolder.get() }

    /// The URI of a planted plugin.
    package static func uri(_ name: String) -> String { "urn:proscenium:planted:\(name)" }

    private static let soundFolder = Result { try plant(PlantedBundle.sound, in: "sound") }
    private static let harmfulFolder = Result { try plant(PlantedBundle.harmful, in: "harmful") }
    private static let faultyFolder = Result { try plant(PlantedBundle.faulty, in: "faulty") }
    private static let treacherousFolder = Result { try plant(PlantedBundle.treacherous, in: "treacherous") }

    /// Folder of all planted plugins; removed when the process ends.
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
