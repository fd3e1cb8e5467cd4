import ArgumentParser
import CRealtime
import Glibc
import PluginHost
import Processes

/// `proscenium plugin scan-bundle`: child process of a scan; describes bundles.
struct PluginScanBundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan-bundle", abstract: "Describes bundles for the scan, in JSON.",
        discussion: "Example: proscenium plugin scan-bundle /usr/lib/lv2/eg-amp.lv2", shouldDisplay: false)

    @Argument(help: "Bundles.") var bundles: [String]

    func run() throws {
        let parent = ParentLine()
        ScanningChild.describe(bundles, by: PluginSearch.backend, to: parent)
        parent.end()
    }
}

/// `proscenium plugin try`: child process of a test; runs a plugin.
struct PluginTryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try", abstract: "Runs a plugin for the test, and reports to it in JSON.",
        discussion: "Example: proscenium plugin try http://lv2plug.in/plugins/eg-amp saved", shouldDisplay: false)

    @Argument(help: "The plugin.") var identifier: String
    @Argument(help: "A folder for the plugin's state; it must not exist.") var folder: String

    func run() throws {
        let backend = PluginSearch.backend
        let plugin = try PluginScan(backend).find(identifier)
        let parent = ParentLine()
        PluginTrialChild.run(
            plugin, by: backend, savingIn: folder,
            clocks: TrialClocks(passed: { prc_monotonic_nanoseconds() }, worked: { Self.worked() }), to: parent)
        parent.end()
    }

    /// Returns the processor time of this thread, nanoseconds.
    private static func worked() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// `proscenium plugin host`: child process of a session; runs an isolated plugin.
struct PluginHostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "host", abstract: "Runs a plugin for a session, as the session requests.",
        discussion: "Example: started by a session for --plugin ears=URI,isolate=yes", shouldDisplay: false)

    func validate() throws {
        guard fcntl(3, F_GETFD) >= 0 else {
            throw ValidationError("A session starts this, with memory to share as descriptor 3.")
        }
    }

    func run() throws { HostingChild.run { LV2Backend(searchPath: $0) } }
}
