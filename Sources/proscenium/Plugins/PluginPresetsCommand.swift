import ArgumentParser
import PluginHost

/// `proscenium plugin presets`: lists the presets of a plugin.
struct PluginPresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets", abstract: "Lists the presets of a plugin.",
        discussion: """
            Example:
              proscenium plugin presets http://gareus.org/oss/lv2/darc#stereo
            """)

    @OptionGroup var plugin: PluginArgument

    func run() throws {
        let description = try plugin.description()
        if plugin.json { return try JSONText.print(description.presets) }
        guard !description.presets.isEmpty else { return say("\(description.name) has no presets") }
        TextTable(["Preset", "URI"], description.presets.map { [$0.label, $0.identifier] }).print()
    }
}
