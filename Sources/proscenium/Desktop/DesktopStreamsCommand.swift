import ArgumentParser
import Desktop
import SavedSessions

/// `proscenium desktop streams`: lists the programs that play, and the way of each to the ears.
struct DesktopStreamsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streams", abstract: "Lists the programs that play, and the way of each to the ears.",
        discussion: """
            Example: proscenium desktop streams --json

            The ways are plain (on the stage as it is), upmix, past (two channels, past the stage) and own (an input of \
            its own); 'main' is that of the sink itself. 'desktop rule' sets them.
            """)

    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let rules = try StreamRules(in: SessionDocument.stateFolder)
        let streams = ListedStream.all(in: try PipeWireTools.here.graph(), by: rules)
        if json { return try JSONText.print(streams) }
        guard !streams.isEmpty else { return print("no program plays") }
        let rows = streams.map { stream in
            [
                stream.application, stream.role ?? "-", stream.channels.map(String.init) ?? "-", stream.way ?? "main",
                stream.reason, stream.sinks.isEmpty ? "nothing" : stream.sinks.joined(separator: ", "),
            ]
        }
        TextTable(["application", "role", "channels", "way", "by", "plays to"], rows).print()
    }
}
