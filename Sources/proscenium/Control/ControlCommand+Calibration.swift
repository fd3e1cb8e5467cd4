import ArgumentParser
import Session

/// What `ctl` asks of the calibration of a tracker's mounting.
extension ControlCommand {
    struct Calibrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Finds out how a session's tracker sits, by four movements, while it plays.",
            discussion: """
                Examples: proscenium ctl calibrate start head; proscenium ctl calibrate step (four times); \
                proscenium ctl calibrate accept

                How far it has come stands under calibration/ in the state. 'tracker calibrate' does the same without a session.
                """,
            subcommands: [Start.self, Step.self, Accept.self, Cancel.self])

        struct Start: CalibrationRequest {
            static let configuration = CommandConfiguration(
                abstract: "Begins a calibration; says which movement is first.",
                discussion: "Example: proscenium ctl calibrate start device --seconds 6")
            @OptionGroup var port: ControlPort
            @Argument(help: "head or device.") var body = TrackedBody.head
            @Option(help: ArgumentHelp("How long each movement takes, 0.5 to 60.", valueName: "s"))
            var seconds = CalibrationCommand.usualSeconds

            func validate() throws {
                guard CalibrationCommand.seconds.contains(seconds) else {
                    throw ValidationError("--seconds must lie between 0.5 and 60, not \(seconds)")
                }
            }

            var command: CalibrationCommand { .start(body, seconds: seconds) }
        }

        struct Step: CalibrationRequest {
            static let configuration = CommandConfiguration(
                abstract: "Begins the movement that is due; says which.",
                discussion: "Example: proscenium ctl calibrate step")
            @OptionGroup var port: ControlPort

            var command: CalibrationCommand { .step }
        }

        struct Accept: CalibrationRequest {
            static let configuration = CommandConfiguration(
                abstract: "Takes what was found into use and remembers it.",
                discussion: "Example: proscenium ctl calibrate accept")
            @OptionGroup var port: ControlPort

            var command: CalibrationCommand { .accept }
        }

        struct Cancel: CalibrationRequest {
            static let configuration = CommandConfiguration(
                abstract: "Ends the calibration; the tracker sits as before.",
                discussion: "Example: proscenium ctl calibrate cancel")
            @OptionGroup var port: ControlPort

            var command: CalibrationCommand { .cancel }
        }
    }
}

/// A subcommand that asks something of the calibration and prints what is answered.
protocol CalibrationRequest: AsyncParsableCommand {
    /// Where the session listens.
    var port: ControlPort { get }
    /// What is asked for.
    var command: CalibrationCommand { get }
}

extension CalibrationRequest {
    func run() async throws {
        let answer = try await port.request(.calibration(command))
        if answer != "done" { print(answer) }
    }
}

extension TrackedBody: ExpressibleByArgument {}
