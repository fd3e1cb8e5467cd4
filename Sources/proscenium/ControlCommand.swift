import ArgumentParser
import Control
import Foundation
import Session

/// `proscenium ctl`: speaks to a running session.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Speaks to a running session: recentre, room, mode, level, status and more.",
        discussion: """
            Example: proscenium ctl recentre

            The same commands are OSC messages to the control port: /proscenium/recentre [yaw|full|reset], \
            /proscenium/reference device|head|static, /proscenium/follow YAW PITCH ROLL, /proscenium/yaw-pull DEG/S, \
            /proscenium/room on|off, /proscenium/mode off|fixed|tracked, \
            /proscenium/spatialize none|stereo|multichannel|all, /proscenium/rendition auto|multichannel|stereo, \
            /proscenium/input/NAME/level DB, /proscenium/loudness [reset], /proscenium/loudness-target LUFS, \
            /proscenium/drc PROFILE, /proscenium/seek SECONDS, /proscenium/pause, /proscenium/skip, /proscenium/resume, \
            /proscenium/interrupt/begin NAME duck DB|pause [SECONDS], /proscenium/interrupt/end NAME [resume|no-resume], \
            /proscenium/start [FRAME], /proscenium/status, /proscenium/quit. \
            /proscenium/watch HZ has pose and state sent to whoever asks, for 30 s each time.
            """,
        subcommands: [
            Recentre.self, Reference.self, Follow.self, YawPull.self, Room.self, Mode.self, Spatialize.self,
            Upmix.self, Rendition.self, Level.self, Place.self, Width.self, Loudness.self, DRC.self, Seek.self,
            Pause.self,
            Skip.self, Resume.self,
            Interrupt.self, Start.self, Status.self, Quit.self,
        ])

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

    struct Recentre: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Makes where the head points now the front.", discussion: "Example: proscenium ctl recentre")
        @OptionGroup var port: Port
        @Flag(help: "Take pitch and roll too, not yaw only.") var full = false
        @Flag(help: "Go back to the trackers' own zero.") var reset = false

        func validate() throws {
            if full, reset { throw ValidationError("--full and --reset exclude each other") }
        }

        var command: SessionCommand { .recentre(reset ? .reset : full ? .full : .yaw) }
    }

    struct Reference: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Chooses what the stage stays with: device, head (its tracker alone) or static (nothing moves).",
            discussion: "Example: proscenium ctl reference head")
        @OptionGroup var port: Port
        @Argument(help: "device, head or static.") var reference: SessionCommand.Reference

        var command: SessionCommand { .reference(reference) }
    }

    struct Follow: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Sets how much of the head's yaw, pitch and roll the stage makes up for, 0 to 1 each.",
            discussion: "Example: proscenium ctl follow 1,1,0")
        @OptionGroup var port: Port
        @Argument(help: ArgumentHelp("Three numbers, 0 to 1 each, as 1,1,0.", valueName: "yaw,pitch,roll"))
        var weights: FollowWeights

        var command: SessionCommand { .follow(weights) }
    }

    struct YawPull: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Sets the slow pull of yaw to the front, degrees per second; 0 turns it off.",
            discussion: "Example: proscenium ctl yaw-pull 0.1")
        @OptionGroup var port: Port
        @Argument(help: "0 to 10.") var rate: Double

        func validate() throws {
            guard (0...10).contains(rate) else {
                throw ValidationError("the pull lies between 0 and 10 degrees per second")
            }
        }

        var command: SessionCommand { .yawPull(rate) }
    }

    struct Room: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Plays the session's room, or the stage dry at the same loudness.",
            discussion: "Example: proscenium ctl room off")
        @OptionGroup var port: Port
        @Argument(help: "on or off.") var state: State

        enum State: String, ExpressibleByArgument, CaseIterable { case on, off }

        var command: SessionCommand { .room(state == .on) }
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
