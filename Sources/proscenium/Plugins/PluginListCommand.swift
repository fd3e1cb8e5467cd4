import ArgumentParser
import Foundation
import PluginHost

/// `proscenium plugin list`: lists the installed plugins.
struct PluginListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "Lists plugins: name, channels, whether they report a latency, kind and URI; and faulty ones with the reason.",
        discussion: """
            Bundles are described in a separate process. A bundle that crashes it, or does not end, is named, and the others \
            are listed.

            Example:
              proscenium plugin list limiter
            """)

    @Argument(help: "Only plugins that have all these words in name, kind, maker or URI.") var words: [String] = []
    @Flag(help: "Read every bundle anew.") var rescan = false
    @Flag(help: "Print JSON.") var json = false

    /// Content of the JSON output.
    private struct Listing: Encodable {
        let plugins: [PluginSummary]
        let hidden: [PluginSummary]
        let faults: [PluginCatalogue.Fault]
        let remarks: [String]
        let children: Int
    }

    func run() throws {
        let catalogue = try PluginSearch.catalogue(fresh: rescan)
        let plugins = catalogue.plugins.filter { has($0.name, $0.kind, $0.maker, $0.identifier) }
        let hidden = catalogue.hidden.filter { has($0.name, $0.kind, $0.maker, $0.identifier) }
        let faults = catalogue.faults.filter { has($0.bundle) }
        if json {
            return try JSONText.print(
                Listing(
                    plugins: plugins, hidden: hidden, faults: faults, remarks: catalogue.remarks,
                    children: catalogue.childrenStarted))
        }
        let usable = plugins.filter { $0.refusal == nil }
        if !usable.isEmpty {
            let rows = usable.map { plugin in
                [
                    plugin.name, "\(plugin.inputs)→\(plugin.outputs)", plugin.tellsLatency ? "reported" : "–",
                    plugin.kind,
                    plugin.identifier,
                ]
            }
            TextTable(["Name", "Channels", "Latency", "Kind", "URI"], rows).print()
        }
        section("Refused:", plugins.filter { $0.refusal != nil }) { "\($0.identifier): \($0.refusal ?? "")" }
        section("Faulty bundles:", faults) { "\($0.bundle): \($0.fault.reason)" }
        section("Hidden by another of the same URI:", hidden) { "\($0.identifier) in \($0.bundle)" }
        guard plugins.isEmpty else { return }
        say(
            words.isEmpty
                ? "there are no plugins in \(PluginSearch.backend.searchPath.joined(separator: ":"))"
                : "no plugin has these words")
    }

    private func has(_ texts: String...) -> Bool {
        words.allSatisfy { word in texts.contains { $0.localizedCaseInsensitiveContains(word) } }
    }

    private func section<Row>(_ title: String, _ rows: [Row], _ line: (Row) -> String) {
        guard !rows.isEmpty else { return }
        print("\n\(title)")
        for row in rows { print("  \(line(row))") }
    }
}
