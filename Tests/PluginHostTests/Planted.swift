import Foundation
import PluginHost
import SoundFixtures

/// A scan of planted plugins by the program, with a separate cache.
struct Planted {
    /// The program that is built with the test runner, in the same folder.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("proscenium").path
    let cache: Scratch
    let folder: String

    /// Prepares a scan of the bundles in a folder.
    init(_ folder: String) throws {
        self.folder = folder
        cache = try Scratch()
    }

    /// Returns a scan with the present content of the cache. A bundle may take `seconds`.
    func scan(seconds: Double = 10) -> PluginScan {
        PluginScan(
            LV2Backend(searchPath: [folder]), cache: PluginCache(folder: cache.path), program: Self.program,
            secondsPerBundle: seconds)
    }
}
