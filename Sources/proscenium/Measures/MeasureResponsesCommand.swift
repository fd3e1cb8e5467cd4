import ArgumentParser
import Foundation
import Loading
import Measurement
import SOFA
import Stages
import Takes

/// `proscenium measure responses`: makes a room from recorded sweeps.
struct MeasureResponsesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "responses",
        abstract: "Makes a room for --room, and ears for --hrtf, from sweeps recorded by microphones in the ears.",
        discussion: """
            Each file holds two channels, the left and the right ear, and is named by its loudspeakers, as Impulcifer names its \
            recordings: silence, the sweep of the first, silence, the sweep of the second. Digits behind the names are the yaw of \
            the head in degrees, positive to the left: with takes at several yaws the room turns with the head. The responses are \
            cut where the room's decay meets the noise; delays between loudspeakers and ears stay. A take with a fault is \
            refused: clipped, too quiet, a noise, a dropout, a wrong loudspeaker, exchanged ears.

            Example:
              proscenium measure responses FL,FR.wav FC.wav --sweep sweep.wav -o room.sofa
            """)

    @Argument(
        help: "Recordings of both ears, named by loudspeakers and yaw: FL,FR.wav, FL,FR_30.wav.", completion: .file())
    var takes: [String]
    @Option(
        help: ArgumentHelp("The sweep that was played, a sound file of one channel.", valueName: "file"),
        completion: .file())
    var sweep: String
    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp("The room to be written, a SOFA file (SingleRoomMIMOSRIR).", valueName: "file"),
        completion: .file(extensions: ["sofa"]))
    var output: String
    @Option(
        help: ArgumentHelp(
            "Write the direct sound alone, too: a SOFA file (SimpleFreeFieldHRIR) for --hrtf.", valueName: "file"),
        completion: .file(extensions: ["sofa"]))
    var ears: String?
    @Option(
        help: ArgumentHelp("Layout whose loudspeakers the names mean: a name or a JSON file.", valueName: "layout"),
        completion: .layouts)
    var layout = "7.1"
    @Option(help: ArgumentHelp("Silence before the first sweep and between sweeps, 0.1 to 60.", valueName: "s"))
    var pause = 2.0
    @Option(
        help: ArgumentHelp(
            "Calibration of the microphones: a text of frequencies and levels. Twice: the left, then the right.",
            valueName: "file"), completion: .file())
    var calibration: [String] = []
    @Option(help: ArgumentHelp("Title of the room in the files.", valueName: "text")) var title = "measured room"
    @Flag(help: "Write the files in spite of faults, which become notes.") var acceptFaults = false
    @OptionGroup var former: OverwriteOption
    @Flag(help: "Print everything as JSON.") var json = false

    func validate() throws {
        guard !takes.isEmpty else { throw ValidationError("name at least one recording") }
        guard (0.1...60).contains(pause) else {
            throw ValidationError("--pause must lie between 0.1 and 60, not \(pause)")
        }
        guard calibration.count <= 2 else {
            throw ValidationError("--calibration names one file for both microphones, or the left and the right")
        }
    }

    func run() async throws {
        let replacement = try former.settle([output, ears], keeping: takes + [sweep] + calibration)
        let author = SOFAConversion.Author.now
        let measurement = ResponseMeasurement(
            takes: takes, sweep: sweep, layout: try StageSettings().layout(named: layout), pause: pause,
            calibrations: calibration, acceptsFaults: acceptFaults,
            attributes: [
                "Title": title, "DateCreated": author.date, "DateModified": author.date, "APIVersion": author.version,
                "ApplicationName": "Proscenium", "ApplicationVersion": author.version,
            ])
        let (output, ears) = (output, ears)
        try await report("measure", json: json, isAnswer: true) { progress in
            do throws(ResponseError) {
                return try measurement.run(
                    room: output, head: ears, replaces: { replacement.covers($0) }, progress: progress)
            } catch {
                switch error {
                case .input, .refused: throw Failure(.input, error.description)
                case .sound(let error): throw SessionError(error)
                case .output(let error): throw Failure(.environment, error.description)
                case .cancelled: throw SessionError(.interrupted, error.description)
                }
            }
        }
    }
}
