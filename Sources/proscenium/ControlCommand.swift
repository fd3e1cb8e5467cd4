import ArgumentParser
import Control
import Foundation
import HeadTracking
import Session

/// `proscenium ctl`: speaks to a running session.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Speaks to a running session: recentre, level, room, status and more.",
        discussion: """
            Example: proscenium ctl recentre

            The same commands are OSC messages to the control port: /proscenium/NAME VALUE sets a parameter, \
            /proscenium/input/INPUT/NAME VALUE sets it of one input; /proscenium/recentre [yaw|full|reset], \
            /proscenium/loudness [reset], /proscenium/seek SECONDS, /proscenium/pause, /proscenium/skip, /proscenium/loop, \
            /proscenium/gain-by DB, \
            /proscenium/resume, /proscenium/interrupt/begin NAME duck DB|pause [SECONDS], \
            /proscenium/interrupt/end NAME [resume|no-resume], /proscenium/plugin/..., /proscenium/start [FRAME], /proscenium/status, \
            /proscenium/quit. /proscenium/watch HZ has pose and state sent to whoever asks, for 30 s each time.

            \(Set.listing)
            """,
        subcommands: [
            Set.self, Recentre.self, Loudness.self, DRC.self, Seek.self, Pause.self, Skip.self, Resume.self,
            Interrupt.self, Plugin.self, Start.self, Status.self, Quit.self,
        ], defaultSubcommand: Set.self)

    struct Port: ParsableArguments {
        @Option(help: ArgumentHelp("Where the session listens for control.", valueName: "[address:]port"))
        var port = ControlAddress(port: ControlAddress.defaultPort)

        func request(_ command: SessionCommand) async throws -> String {
            // A start may have to wait for its frame, a plugin for the first scan of all there are.
            let timeout: Duration =
                switch command {
                case .start: .seconds(15)
                case .plugin: .seconds(60)
                default: .seconds(3)
                }
            return try await ControlClient.request(command, at: port, timeout: timeout)
        }
    }

    struct Recentre: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Makes where the head points now the front.", discussion: "Example: proscenium ctl recentre")
        @OptionGroup var port: Port
        @Argument(help: "yaw, full (pitch and roll too) or reset (back to the trackers' own zero).")
        var axes: HeadTracker.Recentring = .yaw
        @Flag(help: ArgumentHelp("The same as 'full'.", visibility: .hidden)) var full = false
        @Flag(help: ArgumentHelp("The same as 'reset'.", visibility: .hidden)) var reset = false

        func validate() throws {
            if [full, reset, axes != .yaw].filter({ $0 }).count > 1 {
                throw ValidationError("say one of 'yaw', 'full' and 'reset'")
            }
        }

        var command: SessionCommand { .recentre(reset ? .reset : full ? .full : axes) }
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

    struct Quit: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Ends the session.", discussion: "Example: proscenium ctl quit")
        @OptionGroup var port: Port

        var command: SessionCommand { .quit }
    }
}

/// A subcommand that asks for one thing and prints nothing when it is done.
protocol ControlRequest: AsyncParsableCommand {
    /// Where the session listens.
    var port: ControlCommand.Port { get }
    /// What is asked for.
    var command: SessionCommand { get }
}

extension ControlRequest {
    func run() async throws { _ = try await port.request(command) }
}

extension HeadTracker.Recentring: ExpressibleByArgument {}
