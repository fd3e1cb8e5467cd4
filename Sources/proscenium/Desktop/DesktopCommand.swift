import ArgumentParser

/// `proscenium desktop`: sets up a sink in PipeWire, whose sound is placed on the stage.
struct DesktopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desktop",
        abstract: "Makes a sink for all programs: their sound is placed on the stage and played to your headphones.",
        discussion: """
            Examples:
              proscenium desktop on --default --head osc:9000
              proscenium desktop rule Firefox upmix
              proscenium desktop status
              proscenium desktop off
            """,
        subcommands: [
            DesktopOnCommand.self, DesktopOffCommand.self, DesktopStatusCommand.self, DesktopStreamsCommand.self,
            DesktopRuleCommand.self, DesktopKeepCommand.self,
        ])
}
