import Foundation
import PluginHost
import SoundFixtures

/// A scan of planted plugins through the program, with a cache of its own.
struct Planted {
    /// The program, built beside the test runner.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("proscenium").path
    let cache: Scratch
    let folder: String

    /// Of the bundles in a folder.
    init(_ folder: String) throws {
        self.folder = folder
        cache = try Scratch()
    }

    /// A scan with what the cache has by now; a bundle may take so many seconds.
    func scan(seconds: Double = 10) -> PluginScan {
        PluginScan(
            LV2Backend(searchPath: [folder]), cache: PluginCache(folder: cache.path), program: Self.program,
            secondsPerBundle: seconds)
    }
}
