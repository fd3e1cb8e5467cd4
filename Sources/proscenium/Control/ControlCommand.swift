import ArgumentParser
import Desk
import Session

/// `proscenium ctl`: sends commands to a running session.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Controls a running session: recentre, level, room, status and more.",
        discussion: """
            Examples: proscenium ctl recentre; proscenium ctl level -6 --input talk; proscenium ctl --to second mute on; \
            proscenium ctl loudspeaker FL solo on

            --to NAME or --port selects the session, --input NAME the input ('ctl set --help').

            The same commands are OSC messages to the control port: /proscenium/NAME VALUE sets a parameter, \
            /proscenium/input/INPUT/NAME VALUE sets it for one input. Further commands are \
            \(Command.rows(of: .desk).map(\.id).joined(separator: ", ")) (arguments: Documentation/reference/commands.md). \
            /proscenium/watch HZ sends pose and state to the sender, for 30 s each time. /proscenium/subscribe [HOST:PORT] \
            [state events meters pose] sends every new value. OSC over TCP at that port, and JSON over a socket, HTTP and \
            WebSocket, do the same: see Documentation/reference/control.md.

            \(Set.listing)
            """,
        subcommands: [Set.self, Status.self, Loudness.self, DRC.self, Seek.self] + ofTable,
        defaultSubcommand: Set.self)

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the session's state.",
            discussion: """
                Examples: proscenium ctl status --json; proscenium ctl status --wait 60

                The command is answered in every phase: starting (with what is being prepared), running, recovering (the JACK \
                server is gone or runs at another rate) and ending.
                """)
        @OptionGroup var port: ControlPort
        @OptionGroup var form: StatusForm

        func run() async throws { try await form.print(port) }
    }

    /// Options for the request and the output of a session's state.
    struct StatusForm: ParsableArguments {
        @Flag(help: "As one line of JSON.") var json = false
        @Option(
            help: ArgumentHelp(
                "Wait until the session runs, for this time at most; print on standard error what the session prepares.",
                valueName: "s"))
        var wait: Double?

        func validate() throws {
            if let wait, !(0...3600).contains(wait) {
                throw ValidationError("--wait must lie between 0 and 3600 seconds, not \(wait)")
            }
        }

        /// Prints a session's state, as JSON or as a page of text.
        @inline(never)
        func print(_ port: ControlPort) async throws {
            let (text, answer) = try await StatusAnswer.ask(port, patience: wait ?? 0)
            Swift.print(json ? text : StatusText.page(answer))
        }
    }
}
