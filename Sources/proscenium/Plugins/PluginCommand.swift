import ArgumentParser
import Racks

/// `proscenium plugin`: lists, describes and tests the plugins of this machine.
struct PluginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin", abstract: "Lists, describes and tests LV2 plugins.",
        discussion: """
            URI is a plugin's own, from `proscenium plugin list`. Plugins are looked for in $LV2_PATH, or where LV2 has \
            them; what was found is kept in $XDG_CACHE_HOME/proscenium/plugins until a bundle changes.

            Example:
              proscenium plugin list reverb
            """,
        subcommands: [
            PluginListCommand.self, PluginInfoCommand.self, PluginPresetsCommand.self, PluginTestCommand.self,
            PluginScanBundleCommand.self, PluginTryCommand.self, PluginHostCommand.self,
        ])
}
