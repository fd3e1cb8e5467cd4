import ArgumentParser
import Desk
import Session

/// `proscenium ctl`: sends commands to a running session.
struct ControlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Speaks to a running session: recentre, level, room, status and more.",
        discussion: """
            Examples: proscenium ctl recentre; proscenium ctl level -6 --input talk; proscenium ctl --to second mute on; \
            proscenium ctl loudspeaker FL solo on

            --to NAME or --port says which session, --input NAME which input ('ctl set --help').

            The same commands are OSC messages to the control port: /proscenium/NAME VALUE sets a parameter, \
            /proscenium/input/INPUT/NAME VALUE sets it of one input; beside those there are \
            \(Command.all.map(\.id).joined(separator: ", ")) (Documentation/reference/commands.md says what each takes). \
            /proscenium/watch HZ has pose and state sent to the sender, for 30 s each time; /proscenium/subscribe [HOST:PORT] \
            [state events meters pose] has every value sent that comes into force. The same over TCP at that port, as JSON over \
            a socket and over HTTP and WebSocket: see Documentation/reference/control.md.

            \(Set.listing)
            """,
        subcommands: [Set.self, Status.self, Loudness.self, DRC.self, Seek.self] + ofTable,
        defaultSubcommand: Set.self)

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

    /// Options for the request and the output of a session's state.
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

        /// Prints a session's state, as JSON or as a page of text.
        @inline(never)
        func print(_ port: ControlPort) async throws {
            let (text, answer) = try await StatusAnswer.ask(port, patience: wait ?? 0)
            Swift.print(json ? text : StatusText.page(answer))
        }
    }
}
