import ArgumentParser
import Foundation
import Loading
import Measurement
import Signal
import Stages
import Takes

/// `proscenium measure sweeps`: writes the sound that a measurement plays.
struct MeasureSweepsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweeps",
        abstract: "Writes sweeps for the loudspeakers of a layout, to be played by any program.",
        discussion: """
            The sound file has a channel for each loudspeaker. It contains a tone, the sweeps, and the tone again. By the two \
            tones, 'measure responses' finds the take in a recording, and the difference between the clocks of two devices. \
            The sweeps overlap in time if their responses remain separate. The text beside the sound file (sweeps.json) \
            describes the sweeps. With --single the file has one channel with one sweep, to be played with one loudspeaker after \
            the other; 'measure responses --sweep' reads these recordings, each named by its loudspeaker. Begin softly: a sweep \
            has as much power in the lowest octave as in the highest.

            Examples:
              proscenium measure sweeps sweeps.wav --layout stereo
              proscenium measure sweeps sweep.wav --single
            """)

    @Argument(help: "The sound file to be written.", completion: .file(extensions: ["wav"])) var output: String
    @Option(
        help: ArgumentHelp("Loudspeakers: a layout's name or a JSON file; default stereo.", valueName: "layout"),
        completion: .layouts)
    var layout: String?
    @Flag(help: "Write one channel with a single sweep, for one loudspeaker at a time.") var single = false
    @OptionGroup var sweep: SweepOptions
    @Option(parsing: .unconditional, help: ArgumentHelp("Peak of the sweeps, -80 to 0.", valueName: "dBFS"))
    var level = -12.0
    @Option(help: ArgumentHelp("Sample rate, that of the recording.", valueName: "Hz")) var rate = 48_000.0
    @OptionGroup var former: OverwriteOption
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        guard !single || layout == nil else {
            throw ValidationError(
                "--single writes one sweep for any loudspeaker; give --layout to 'measure responses'")
        }
        guard PlayedSweeps.levels.contains(level) else {
            throw ValidationError("--level must lie between -80 and 0, not \(level)")
        }
        guard SampleRate(hertz: rate) != nil else {
            throw ValidationError("--rate must lie between 8000 and 768000, not \(rate)")
        }
    }

    func run() async throws {
        let text = SweepFile.text(of: output)
        let replacement = try former.settle([output, single ? nil : text])
        let layout = try StageSettings().layout(named: layout ?? "stereo")
        let rate = SampleRate(hertz: rate) ?? .studio
        let (output, sweep, level, single) = (output, sweep, level, single)
        try await report("measure", json: json, isAnswer: true) { _ in
            try ResponseError.spoken { () throws(ResponseError) -> SweepFile.Report in
                if single {
                    return try SweepFile.writeSingle(
                        seconds: sweep.seconds, decay: sweep.decay, level: level, sampleRate: rate, to: output,
                        replaces: replacement.covers(output))
                }
                let played = try PlayedSweeps(
                    layout, sampleRate: rate, seconds: sweep.seconds, decay: sweep.decay, level: level)
                return try SweepFile.write(played, layout: layout, to: output) { replacement.covers($0) }
            }
        }
    }
}

/// Options of the sweeps.
struct SweepOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Duration of a sweep, 1 to 60: the longer, the less noise.", valueName: "s"))
    var seconds = 5.0
    @Option(
        help: ArgumentHelp(
            "Time in which the room's sound decays below the noise, 0.1 to 10 (living room: 1, hall: 3).",
            valueName: "s"))
    var decay = 1.0

    func validate() throws {
        guard PlayedSweeps.durations.contains(seconds) else {
            throw ValidationError("--seconds must lie between 1 and 60, not \(seconds)")
        }
        guard PlayedSweeps.decays.contains(decay) else {
            throw ValidationError("--decay must lie between 0.1 and 10, not \(decay)")
        }
    }
}

extension ResponseError {
    /// Runs work and gives its errors the exit status of their cause.
    static func spoken<Result>(_ work: () throws(ResponseError) -> Result) throws -> Result {
        do throws(ResponseError) { return try work() } catch {
            switch error {
            case .input, .refused: throw Failure(.input, error.description)
            case .sound(let error): throw SessionError(error)
            case .text(let error): throw SessionError(error)
            case .output: throw Failure(.environment, error.description)
            case .cancelled: throw SessionError(.interrupted, error.description)
            }
        }
    }
}
