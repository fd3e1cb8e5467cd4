import ArgumentParser
import Racks

/// `proscenium plugin`: lists, describes and tests the plugins of this machine.
struct PluginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin", abstract: "Lists, describes and tests LV2 plugins.",
        discussion: """
            `proscenium plugin list` shows the URI of each plugin. Plugins are sought in $LV2_PATH, or in LV2's usual places. Their \
            descriptions are kept in $XDG_CACHE_HOME/proscenium/plugins until a bundle changes.

            Example:
              proscenium plugin list reverb
            """,
        subcommands: [
            PluginListCommand.self, PluginInfoCommand.self, PluginPresetsCommand.self, PluginTestCommand.self,
            PluginScanBundleCommand.self, PluginTryCommand.self, PluginHostCommand.self,
        ])
}
