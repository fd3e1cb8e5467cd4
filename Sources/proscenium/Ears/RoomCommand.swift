import ArgumentParser
import Foundation
import Rooms
import Session
import Signal
import Stages

/// `proscenium room`: describes and measures rooms.
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
    /// `room info`: describes a room and its acoustic measures.
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reports what a room holds, how it is processed, and its acoustic measures.",
            discussion: """
                ROOM is studio, living-room or hall, a measured person's name, a SOFA file (SingleRoomSRIR, SingleRoomMIMOSRIR, \
                MultiSpeakerBRIR, or a room labelled SimpleFreeFieldHRIR), a WAV file of responses (left and right for each \
                loudspeaker), or a folder of such files by head yaw. It is measured as played, with the head to the front: \
                reverberation time (T30), clarity (80 ms), interaural coherence before and after 80 ms, and normalised echo density \
                (0 for single reflections, 1 for a mixed field).

                Example:
                  proscenium room info studio --layout 5.1
                """)

        @Argument(help: "A name or a path.", completion: .rooms) var room: String
        @Option(
            help: ArgumentHelp("Loudspeaker layout: a name or a JSON file (default: stereo).", valueName: "layout"),
            completion: .layouts)
        var layout: String?
        @Option(help: StageNames.hrtfHelp, completion: .sets) var hrtf: String?
        @Option(help: ArgumentHelp("The session's sample rate in hertz, 8000 to 768000.", valueName: "hertz"))
        var rate = SampleRate.studio
        @OptionGroup var options: ParameterOptions<RoomRows>
        @Flag(help: "Print JSON.") var json = false
        @Option(
            help: ArgumentHelp("Draw decay, reverberation time and coherence into this SVG file.", valueName: "file"),
            completion: .file())
        var svg: String?
        @OptionGroup var former: OverwriteOption

        func validate() throws {
            guard room != "none" else { throw ValidationError("'none' is no room; name one to measure") }
        }

        func run() throws {
            let replacement = try former.settle([svg], keeping: [room, hrtf, layout])
            var stage = StageSettings(layout: layout, hrtf: hrtf, room: RoomSettings(name: room))
            stage.take(options.changes)
            let (loaded, directions, field) = try RoomLoading.load(stage, sampleRate: rate.hertz)
            guard let loaded else { return }
            let figures = RoomFigures(loaded.responses, directions: directions, field: field)
            let report = loaded.report
            if let svg {
                try DrawingFile.write(
                    RoomPlot(figures, title: report.name).drawing, svg: svg, replacing: replacement)
            }
            if json {
                try JSONText.print([
                    "name": report.name, "path": report.path, "licence": report.licence, "sources": report.sources,
                    "yaws": report.yaws, "early_s": report.early, "length_s": report.length,
                    "tail_shared": report.isTailShared, "level_db": report.trim.value, "bytes": report.bytes,
                    "processing": report.processing, "remarks": report.remarks,
                    "octaves": figures.octaves.map { octave in
                        [
                            "hertz": octave.hertz, "rt60_s": octave.reverberationTime ?? NSNull(),
                            "c80_db": octave.clarity ?? NSNull(), "coherence_early": octave.earlyCoherence,
                            "coherence_late": octave.lateCoherence ?? NSNull(),
                        ] as [String: Any]
                    },
                    "echo_density": figures.echoDensities.map {
                        ["milliseconds": $0.milliseconds, "density": $0.value] as [String: Any]
                    },
                ])
                return
            }
            for line in report.lines { print(line) }
            print("  octave    measured T30, C80, interaural coherence early and late")
            for octave in figures.octaves {
                let time = octave.reverberationTime.map { String(format: "%5.2f s", $0) } ?? "      –"
                let late = both(octave.clarity, octave.lateCoherence)
                print(
                    String(format: "  %5.0f Hz  %@  ", octave.hertz, time)
                        + (late.map { String(format: "%+5.1f dB  %.2f  %.2f", $0, octave.earlyCoherence, $1) }
                            ?? String(format: "no energy after 80 ms  %.2f", octave.earlyCoherence)))
            }
            let densities = figures.echoDensities.map { String(format: "%.2f at %d ms", $0.value, $0.milliseconds) }
            print("  echo density \(densities.joined(separator: ", "))")
        }

        /// Returns both values; nil unless both exist.
        private func both(_ a: Double?, _ b: Double?) -> (Double, Double)? { a.flatMap { a in b.map { (a, $0) } } }
    }
}
