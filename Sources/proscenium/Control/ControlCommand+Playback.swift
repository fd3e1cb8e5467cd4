import ArgumentParser
import Session

/// What `ctl` asks of playback as a whole.
extension ControlCommand {
    struct Resume: ControlRequest {
        static let configuration = CommandConfiguration(
            abstract: "Goes on after the ears' route was lost, or after an interruption that ended without a resume.",
            discussion: "Example: proscenium ctl resume")
        @OptionGroup var port: ControlPort

        var command: SessionCommand { .playback(.resume) }
    }

    struct Interrupt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Asks for the stage, or gives it back: everything else is ducked or paused.",
            discussion: "Example: proscenium ctl interrupt begin navigation --duck -12",
            subcommands: [Begin.self, End.self])

        struct Begin: ControlRequest {
            static let configuration = CommandConfiguration(
                abstract: "Asks for the stage; an input called NAME keeps sounding.",
                discussion: """
                    Example: proscenium ctl interrupt begin navigation --duck -12 --lease 10

                    Where a JACK client is called NAME, the interruption ends with a resume when that client goes.
                    """)
            @OptionGroup var port: ControlPort
            @Argument(help: "Who asks.") var name: String
            @Option(
                parsing: .unconditional,
                help: ArgumentHelp("Lower everything else by so many dB, -120 to 0.", valueName: "dB")) var duck:
                Double?
            @Flag(help: "Silence everything else.") var pause = false
            @Option(
                help: ArgumentHelp(
                    "Give the stage back, with a resume, unless asked again within so many seconds.",
                    valueName: "seconds"))
            var lease: Double?

            func validate() throws {
                guard (duck != nil) != pause else { throw ValidationError("say either --duck DB or --pause") }
                if let duck, !InterruptionEffect.levels.contains(duck) {
                    throw ValidationError("--duck takes -120 to 0 dB, not \(duck)")
                }
                if let lease, !PlaybackCommand.leases.contains(lease) {
                    throw ValidationError("--lease takes 0.1 to 86400 seconds, not \(lease)")
                }
                guard (1...PlaybackCommand.longestName).contains(name.utf8.count) else {
                    throw ValidationError("a name has 1 to \(PlaybackCommand.longestName) bytes")
                }
            }

            var command: SessionCommand {
                .playback(.beginInterruption(name: name, duck.map { .duck($0) } ?? .pause, lease: lease))
            }
        }

        struct End: ControlRequest {
            static let configuration = CommandConfiguration(
                abstract: "Gives the stage back.",
                discussion: "Example: proscenium ctl interrupt end navigation --no-resume")
            @OptionGroup var port: ControlPort
            @Argument(help: "Who asked.") var name: String
            @Flag(inversion: .prefixedNo, help: "Undo what the interruption did; without, it stays until 'ctl resume'.")
            var resume = true

            var command: SessionCommand { .playback(.endInterruption(name: name, resumes: resume)) }
        }
    }
}
