import ArgumentParser
import Foundation
import PluginHost

/// `proscenium plugin info`: describes a plugin.
struct PluginInfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Shows a plugin's channels, controls with ranges and choices, properties, and presets.",
        discussion: """
            Example:
              proscenium plugin info http://plugin.org.uk/swh-plugins/fastLookaheadLimiter
            """)

    @OptionGroup var plugin: PluginArgument

    func run() throws {
        let description = try plugin.description()
        if plugin.json { return try JSONText.print(description) }
        for line in PluginText.lines(description) { print(line) }
    }
}
