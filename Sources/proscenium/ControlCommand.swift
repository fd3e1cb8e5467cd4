import ArgumentParser
import Control
import Foundation
import Session

/// `proscenium ctl`: speaks to a running session.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Speaks to a running session: recentre, start, status, quit.",
        discussion: """
            Example: proscenium ctl recentre

            The same commands are OSC messages to the control port: /proscenium/recentre, /proscenium/start,
            /proscenium/status, /proscenium/quit.
            """,
        subcommands: [Recentre.self, Start.self, Status.self, Quit.self])

    struct Port: ParsableArguments {
        @Option(help: ArgumentHelp("Where the session listens for control.", valueName: "[address:]port"))
        var port: String = String(ControlAddress.defaultPort)

        func request(_ command: SessionCommand) async throws -> String {
            guard let address = ControlAddress(port) else {
                throw ValidationError("--port takes [ADDRESS:]PORT, not '\(port)'")
            }
            // A start may have to wait for its frame.
            let timeout: Duration = if case .start = command { .seconds(15) } else { .seconds(3) }
            return try await ControlClient.request(command, at: address, timeout: timeout)
        }
    }

    struct Recentre: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes where the head points now the front.", discussion: "Example: proscenium ctl recentre")
        @OptionGroup var port: Port
        @Flag(help: "Take pitch and roll too, not yaw only.") var full = false

        func run() async throws { _ = try await port.request(.recentre(full ? .full : .yaw)) }
    }

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets stream time 0 and silent history; prints the JACK frame at which it takes place.",
            discussion: "Example: proscenium ctl start --at 4800000")
        @OptionGroup var port: Port
        @Option(help: "The JACK frame; without it the next period's first.") var at: UInt32?

        func run() async throws { print(try await port.request(.start(frame: at))) }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the session's state.", discussion: "Example: proscenium ctl status --json")
        @OptionGroup var port: Port
        @Flag(help: "As one line of JSON.") var json = false

        func run() async throws {
            let text = try await port.request(.status)
            if json { return print(text) }
            let decoder = JSONDecoder()
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            print(StatusText.page(try decoder.decode(SessionStatus.self, from: Data(text.utf8))))
        }
    }

    struct Quit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ends the session.", discussion: "Example: proscenium ctl quit")
        @OptionGroup var port: Port

        func run() async throws { _ = try await port.request(.quit) }
    }
}
