import Foundation
import Glibc
import PluginHost
import SoundFixtures
import Testing

/// Tests that need another process: states whose saving is cut off, and plugins that may end their process.
@Suite struct LV2ProcessTests {
    /// The executable that is built with the tests, in the same folder.
    private static let fixture =
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        + "/plugin-fixture"

    @Test func `Two hundred saves that are cut off leave the old state or the new one`() throws {
        guard let plugin = try InstalledPlugins.find("http://lv2plug.in/plugins/eg-amp", in: "eg-amp.lv2") else {
            return
        }
        let scratch = try Scratch()
        let amp = try Sounding(plugin)
        let range = plugin.controls[0].range
        var seen: Set<Float> = []
        for attempt in 0..<200 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Self.fixture)
            process.arguments = ["save", plugin.bundle, plugin.identifier, scratch("state")]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            // After the first states, one line each, the process is always saving. It is killed a little later in each
            // attempt.
            for _ in 0...(attempt % 3) { _ = try output.fileHandleForReading.read(upToCount: 2) }
            usleep(UInt32(attempt * 37 % 4_001))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try amp.instance.set("gain", to: range.upperBound, within: 0)
            let isSound = try TurtleCheck.isSound(scratch("state/state.ttl"))
            try #require(isSound)
            try amp.instance.restore(from: scratch("state"))
            let gain = try #require(amp.instance.controls()["gain"])
            let number = (gain - range.lowerBound) / (range.upperBound - range.lowerBound) * 100
            try #require(abs(number - number.rounded()) < 1e-3 && number < 99.5)
            seen.insert(number.rounded())
        }
        #expect(seen.count > 1)
        try amp.instance.save(to: scratch("state"))
        #expect(scratch.contents == ["state"])
        #expect(amp.instance.close(within: 1))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] != nil))
    func `Every plugin installed sounds, keeps its state and ends`() throws {
        for bundle in InstalledPlugins.backend.bundles() {
            for plugin in try InstalledPlugins.backend.describe(bundle: bundle) where plugin.refusal == nil {
                let scratch = try Scratch()
                let (status, lines) = try TimedCommand.run(
                    [Self.fixture, "try", bundle, plugin.identifier, scratch("state")], seconds: 60,
                    environment: ["SWIFT_BACKTRACE": "enable=no"])
                // Code that the system cannot load is a fault of the plugin's package. The fault is reported, and does
                // not affect others.
                let isUnloadable = lines.contains { $0.contains("its code cannot be loaded") }
                if isUnloadable { print(lines.suffix(1)) }
                #expect(
                    isUnloadable || status == 0 && lines.contains("closed"),
                    "\(plugin.identifier): \(status) \(lines.suffix(4))")
            }
        }
    }
}

/// Checks whether the file of a plugin's own state is complete, because `restore` continues without it.
private enum TurtleCheck {
    static func isSound(_ path: String) throws -> Bool {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.contains("pset:value") && text.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix(".")
    }
}
