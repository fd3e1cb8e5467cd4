import ArgumentParser

/// Root of the command line: Proscenium's summary and its commands.
struct Proscenium: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proscenium",
        abstract: "Head-tracked binaural renderer for JACK and for files: the stage stands still while the head turns.",
        discussion: """
            Examples:
              proscenium run --layout 5.1 --head osc:9000 --connect-out physical
              proscenium render programme.wav ears.wav
              proscenium doctor

            Defaults are read from $XDG_CONFIG_HOME/proscenium/config (lines "option = value"); typed options take precedence.
            Exit codes: 0 success, 1 faulty input, 2 wrong usage, 3 faulty environment, 130 interrupted.
            """,
        version: "proscenium \(version)",
        subcommands: subcommands)

    /// The program's version.
    static let version = "0.1.0"
}
