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
            Examples: proscenium ctl recentre; proscenium ctl level -6 --input talk; proscenium ctl --to second mute on; \
            proscenium ctl loudspeaker FL solo on

            --to NAME or --port says which session, --input NAME which input ('ctl set --help').

            The same commands are OSC messages to the control port: /proscenium/NAME VALUE sets a parameter, \
            /proscenium/input/INPUT/NAME VALUE sets it of one input; /proscenium/recentre [yaw|full|reset], \
            /proscenium/loudness [reset], /proscenium/seek SECONDS, /proscenium/pause, /proscenium/skip, /proscenium/loop, \
            /proscenium/gain-by DB, \
            /proscenium/resume, /proscenium/interrupt/begin NAME duck DB|pause [SECONDS], \
            /proscenium/interrupt/end NAME [resume|no-resume], /proscenium/record [on|off], /proscenium/record/start [FILE], /proscenium/record/stop, \
            /proscenium/record/marker [NAME], /proscenium/plugin/..., /proscenium/calibrate/start [head|device [SECONDS]], /proscenium/calibrate/step, /proscenium/calibrate/accept, /proscenium/calibrate/cancel, /proscenium/surface/learn ADDRESS, /proscenium/surface/cancel, /proscenium/undo, /proscenium/redo, /proscenium/start [FRAME], /proscenium/status, \
            /proscenium/quit. /proscenium/watch HZ has pose and state sent to whoever asks, for 30 s each time; /proscenium/subscribe [HOST:PORT] \
            [state events meters pose] has every value sent that comes into force. The same over TCP at that port, as JSON over \
            a socket and over HTTP and WebSocket: see Documentation/control.md.

            \(Set.listing)
            """,
        subcommands: [
            Set.self, Recentre.self, Loudness.self, DRC.self, Seek.self, Pause.self, Skip.self, Resume.self,
            Interrupt.self, Record.self, Plugin.self, Calibrate.self, Surface.self, Undo.self, Redo.self, Start.self,
            Status.self,
            Quit.self,
        ], defaultSubcommand: Set.self)

    struct Recentre: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Makes where the head points now the front.", discussion: "Example: proscenium ctl recentre")
        @OptionGroup var port: ControlPort
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
        @OptionGroup var port: ControlPort
        @Option(help: "The JACK frame; without it the next period's first.") var at: UInt32?

        func run() async throws { print(try await port.request(.start(frame: at))) }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the session's state.",
            discussion: """
                Examples: proscenium ctl status --json; proscenium ctl status --wait 60

                It is answered in every phase: starting (with what is being prepared), running, recovering (the JACK \
                server is gone or runs at another rate) and ending.
                """)
        @OptionGroup var port: ControlPort
        @OptionGroup var form: StatusForm

        func run() async throws { try await form.print(port) }
    }

    /// How a session's state is asked for and printed.
    struct StatusForm: ParsableArguments {
        @Flag(help: "As one line of JSON.") var json = false
        @Option(
            help: ArgumentHelp(
                "Wait until the session runs, so many seconds at most; what it prepares is said on standard error.",
                valueName: "s"))
        var wait: Double?

        func validate() throws {
            if let wait, !(0...3600).contains(wait) {
                throw ValidationError("--wait must lie between 0 and 3600 seconds, not \(wait)")
            }
        }

        /// Prints a session's state, as JSON or for people.
        @inline(never)
        func print(_ port: ControlPort) async throws {
            let (text, answer) = try await StatusAnswer.ask(port, patience: wait ?? 0)
            Swift.print(json ? text : StatusText.page(answer))
        }
    }

    struct Undo: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Undoes the newest change of a value or of the plugin chains.",
            discussion: "Example: proscenium ctl undo")
        @OptionGroup var port: ControlPort

        var command: SessionCommand { .history(.undo) }
    }

    struct Redo: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Does again what was undone last.", discussion: "Example: proscenium ctl redo")
        @OptionGroup var port: ControlPort

        var command: SessionCommand { .history(.redo) }
    }

    struct Quit: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Ends the session.", discussion: "Example: proscenium ctl quit")
        @OptionGroup var port: ControlPort

        var command: SessionCommand { .quit }
    }
}

/// A subcommand that asks for one thing and prints nothing when it is done.
protocol ControlRequest: AsyncParsableCommand {
    /// Where the session listens.
    var port: ControlPort { get }
    /// What is asked for.
    var command: SessionCommand { get }
}

extension ControlRequest {
    func run() async throws { _ = try await port.request(command) }
}

extension HeadTracker.Recentring: ExpressibleByArgument {}
