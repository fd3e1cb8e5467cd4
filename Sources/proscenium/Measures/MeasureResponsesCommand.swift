import ArgumentParser
import Foundation
import Loading
import Measurement
import SOFA
import Stages
import Takes

/// `proscenium measure responses`: makes a room, and ears if requested, from recorded sweeps.
struct MeasureResponsesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "responses",
        abstract: "Makes a room for --room, and ears for --hrtf, from sweeps recorded by microphones in the ears.",
        discussion: """
            Each file holds two channels, the left and the right ear. For recordings of the sound file of 'measure sweeps', give \
            its text (--plan), and name the files by the yaw of the head in degrees, positive to the left (look_30.wav; without \
            a number the yaw is 0). For recordings of a single sweep, give its sound file (--sweep), and name the files by the \
            loudspeakers too, as Impulcifer does (FL,FR_30.wav: silence, the sweep of FL, silence, the sweep of FR). If you played \
            it by hand, one loudspeaker to a file, add --apart: the sweep may then begin at any time. A room of \
            takes at several yaws plays the responses for the present yaw of the head. The responses are cut where the \
            room's decay meets the noise; delays between loudspeakers and ears stay. A take is refused if it has a fault: \
            clipping, a low level, noise, a dropout, a moved head, a wrong loudspeaker, exchanged ears or one that is too quiet.

            Examples:
              proscenium measure responses look_0.wav look_30.wav look_-30.wav --plan sweeps.json -o room.sofa
              proscenium measure responses FL,FR.wav FC.wav --sweep sweep.wav -o room.sofa
              proscenium measure responses FL.wav FR.wav --sweep sweep.wav --apart -o room.sofa
            """)

    @Argument(help: "Recordings of both ears, named by the yaw: look_30.wav, FL,FR_30.wav.", completion: .file())
    var takes: [String]
    @Option(
        help: ArgumentHelp("The text that 'measure sweeps' wrote beside its sound file.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var plan: String?
    @Option(
        help: ArgumentHelp("The single sweep that was played, a sound file of one channel.", valueName: "file"),
        completion: .file())
    var sweep: String?
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
        help: ArgumentHelp(
            "With --sweep: layout whose loudspeakers the names mean, a name or a JSON file; default 7.1.",
            valueName: "layout"),
        completion: .layouts)
    var layout: String?
    @Option(
        help: ArgumentHelp(
            "With --sweep: silence before the first sweep and between sweeps, 0.1 to 60; default 2.", valueName: "s"))
    var pause: Double?
    @Flag(
        help: ArgumentHelp(
            "With --sweep: the recordings began at any time. Delays follow from the loudspeakers' distances (2 m)."))
    var apart = false
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
        guard (plan == nil) != (sweep == nil) else {
            throw ValidationError(
                "give --plan FILE for recordings of 'measure sweeps', or --sweep FILE for those of a single sweep")
        }
        guard plan == nil || (layout == nil && pause == nil && !apart) else {
            throw ValidationError("--layout, --pause and --apart belong to --sweep; the plan needs none of them")
        }
        if let pause, !(0.1...60).contains(pause) {
            throw ValidationError("--pause must lie between 0.1 and 60, not \(pause)")
        }
        guard calibration.count <= 2 else {
            throw ValidationError("--calibration names one file for both microphones, or the left and the right")
        }
    }

    func run() async throws {
        let replacement = try former.settle([output, ears], keeping: takes + [sweep, plan] + calibration)
        let played: MeasurementSignal
        if let sweep {
            let layout = try StageSettings().layout(named: layout ?? "7.1")
            played = .sweep(path: sweep, layout: layout, pause: pause ?? 2, isApart: apart)
        } else {
            played = .plan(path: plan ?? "")
        }
        let measurement = ResponseMeasurement(
            takes: takes, played: played, calibrations: calibration, acceptsFaults: acceptFaults,
            attributes: SOFAConversion.Author.now.attributes(title: title))
        let (output, ears) = (output, ears)
        try await report("measure", json: json, isAnswer: true) { progress in
            try ResponseError.spoken { () throws(ResponseError) in
                try measurement.run(
                    room: output, head: ears, replaces: { replacement.covers($0) }, progress: progress)
            }
        }
    }
}

extension SOFAConversion.Author {
    /// Returns the attributes of a SOFA file that this program makes.
    func attributes(title: String) -> [String: String] {
        [
            "Title": title, "DateCreated": date, "DateModified": date, "APIVersion": version,
            "ApplicationName": "Proscenium", "ApplicationVersion": version,
        ]
    }
}
