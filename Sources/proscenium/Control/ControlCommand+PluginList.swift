import ArgumentParser
import Desk
import Foundation
import Gate
import Racks
import Session

extension ControlCommand {
    struct PluginList: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Shows the plugins of all chains: latency, cost, faults; with --controls, their values.",
            discussion: "Example: proscenium ctl plugin list --controls")
        @OptionGroup var port: ControlPort
        @Flag(help: "Show controls and meters too.") var controls = false
        @Flag(help: "As one line of JSON.") var json = false

        func run() async throws {
            let text = try await port.request(.plugin(.list))
            if json { return print(text) }
            let plugins = try JSONValue.decode(
                [PluginStatus].self, from: text.utf8, within: .child, hasInfinities: true)
            for line in StatusText.plugins(plugins, controls: controls) { print(line) }
        }
    }
}

extension StatusText {
    /// Returns one line per plugin of all chains; with `controls`, also a line per control and reading.
    static func plugins(_ plugins: [PluginStatus], controls: Bool = false) -> [String] {
        if plugins.isEmpty { return ["no plugins"] }
        return plugins.flatMap { plugin -> [String] in
            let state =
                plugin.fault.map { "TAKEN OUT: \($0)" } ?? (plugin.isBypassed ? "bypassed" : "on")
                + (plugin.isIsolated ? ", isolated" : "")
            let line = String(
                format: "%@ [%d] %@: %@ x%d, %@, latency %d, run %.1f us (99 %%: %.1f, longest %.0f)%@",
                plugin.place, plugin.position, plugin.name, plugin.title, plugin.instances, state, plugin.latency,
                plugin.median, plugin.p99, plugin.longest,
                (plugin.overruns > 0 ? ", \(plugin.overruns) too slow" : "")
                    + (plugin.missed > 0 ? ", \(plugin.missed) missed" : ""))
            guard controls else { return [line] }
            let values = plugin.controls.sorted { $0.key < $1.key }.map { "    \($0.key) = \($0.value)" }
            let readings = plugin.readings.sorted { $0.key < $1.key }.map { "    \($0.key): \($0.value)" }
            return [line] + values + readings
        }
    }
}
