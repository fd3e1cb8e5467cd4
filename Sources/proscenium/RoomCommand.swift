import ArgumentParser
import Foundation
import Rooms
import Session
import Signal

/// `proscenium room`: rooms a stage can stand in, and what is measured of them.
struct RoomCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room", abstract: "Describes and measures rooms for --room.",
        discussion: """
            Example:
              proscenium room info studio
            """,
        subcommands: [Info.self])
}

extension RoomCommand {
    /// `room info`
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what a room is, what is done to it, and how it rings.",
            discussion: """
                ROOM is studio, living-room or hall, a SOFA file (SingleRoomSRIR, SingleRoomMIMOSRIR, MultiSpeakerBRIR, or a room \
                labelled SimpleFreeFieldHRIR), a WAV file of responses (left and right for each loudspeaker), or a folder of those \
                by head yaw. Measured as it would be played, the head to the front: reverberation time (T30), clarity (80 ms) and \
                interaural coherence before and after 80 ms.

                Example:
                  proscenium room info studio --layout 5.1
                """)

        @Argument(help: "A name or a path.") var room: String
        @Option(help: ArgumentHelp("Loudspeaker layout: a name or a JSON file (default: stereo).", valueName: "layout"))
        var layout: String?
        @Option(help: StageOptions.hrtfHelp) var hrtf: String?
        @Option(help: ArgumentHelp("The session's sample rate in hertz, 8000 to 768000.", valueName: "hertz"))
        var rate = SampleRate.studio
        @OptionGroup var options: ParameterOptions<RoomRows>
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard room != "none" else { throw ValidationError("there is nothing to measure of no room") }
        }

        func run() throws {
            var stage = StageSettings(layout: layout, hrtf: hrtf, room: RoomSettings(name: room))
            stage.take(options.changes)
            let (loaded, directions, field) = try RoomLoading.load(stage, sampleRate: rate.hertz)
            guard let loaded else { return }
            let figures = RoomFigures(loaded.responses, directions: directions, field: field)
            let report = loaded.report
            if json {
                try JSONText.print([
                    "name": report.name, "path": report.path, "licence": report.licence, "sources": report.sources,
                    "yaws": report.yaws, "early_s": report.early, "length_s": report.length,
                    "tail_shared": report.isTailShared, "level_db": report.trim.value, "bytes": report.bytes,
                    "processing": report.processing, "remarks": report.remarks,
                    "octaves": figures.octaves.map { octave in
                        [
                            "hertz": octave.hertz, "rt60_s": octave.reverberationTime ?? NSNull(),
                            "c80_db": octave.clarity, "coherence_early": octave.earlyCoherence,
                            "coherence_late": octave.lateCoherence,
                        ] as [String: Any]
                    },
                ])
                return
            }
            for line in report.lines { print(line) }
            print("  octave    measured T30, C80, interaural coherence early and late")
            for octave in figures.octaves {
                let time = octave.reverberationTime.map { String(format: "%5.2f s", $0) } ?? "      –"
                print(
                    String(
                        format: "  %5.0f Hz  %@  %+5.1f dB  %.2f  %.2f", octave.hertz, time, octave.clarity,
                        octave.earlyCoherence, octave.lateCoherence))
            }
        }
    }
}
