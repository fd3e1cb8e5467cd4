import ArgumentParser
import Foundation
import HRTF
import Loading
import SOFA
import Session
import Signal
import Stages
import Takes

/// `proscenium hrtf`: lists, describes, compares and samples sets of head-related responses.
struct HRTFCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hrtf", abstract: "Lists, describes, compares and samples sets of head-related responses.",
        discussion: """
            SET is a name from `proscenium hrtf list`, also that of a measured person, or the path of a .sofa file.

            Example:
              proscenium hrtf info kemar
            """,
        subcommands: [List.self, Info.self, Compare.self, Sample.self, Generate.self])

    /// Loads a set (nil: the default set) and prepares it for a sample rate (nil: the set's own); returns it with a
    /// report. Shows the progress of a long reading; Ctrl-C ends it.
    static func load(
        _ set: String?, sampleRate: SampleRate?, options: HRTFOptions
    ) throws -> (FilterField, HRTFReport) {
        let (interrupt, progress) = (Interrupt(), Progress("reading"))
        defer { progress.finish() }
        do {
            return try FilterField.load(
                HRTFSelection(set), sampleRate: sampleRate, options: options, library: DataFolders.library,
                cache: .standard, reading: progress.until(interrupt), whenRead: progress.finish)
        } catch HRTFError.file(.cancelled) {
            throw Failure(.interrupted, "interrupted")
        } catch {
            throw SessionError(error)
        }
    }
}

extension HRTFCommand {
    /// `hrtf info`: describes a set and its preparation.
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reports what a set holds and how it is processed before it plays.",
            discussion: """
                Example:
                  proscenium hrtf info kemar --rate 48000
                """)

        @Argument(help: "A name or a .sofa file (default: the set that a session would use).", completion: .sets)
        var set: String?

        @Option(help: "The session's sample rate in hertz, 8000 to 768000; without it, the set's own.")
        var rate: SampleRate?

        @OptionGroup(title: "Preparation") var preparation: ParameterOptions<PreparationRows>

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let (_, report) = try HRTFCommand.load(set, sampleRate: rate, options: preparation.options)
            if json {
                try JSONText.print([
                    "name": report.name, "path": report.path, "licence": report.licence, "citation": report.citation,
                    "directions": report.directions, "distance_m": report.distance, "set_rate_hz": report.setRate,
                    "rate_hz": report.sessionRate, "stored_taps": report.storedTaps, "played_taps": report.playedTaps,
                    "grid_points": report.gridPoints, "delay_spread_s": report.delaySpread,
                    "common_delay_removed_s": report.commonDelayRemoved, "head_radius_m": report.headRadius,
                    "diffuse_field_deviation_db": report.diffuseFieldDeviation, "gain_db": report.gain.value,
                    "processing": report.processing, "remarks": report.remarks, "from_cache": report.wasPrepared,
                ])
            } else {
                for line in report.lines { print(line) }
            }
        }
    }

    /// `hrtf sample`: writes a set's responses for given directions.
    struct Sample: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes the responses of a set for given directions, as they are played.",
            discussion: """
                The table of directions is a CSV with the header index,az_deg,el_deg,r_m. The output is float32 little-endian, \
                [direction][ear][tap], at --rate or the set's own rate. A delay common to all directions and ears is removed, \
                and reported.

                Example:
                  proscenium hrtf sample kemar --directions front.csv --output front.f32 --processing none
                """)

        @Argument(help: "A name or a .sofa file.", completion: .sets)
        var set: String

        @Option(help: "Table of directions.", completion: .file())
        var directions: String

        @Option(help: "File to write.", completion: .file())
        var output: String
        @OptionGroup var former: OverwriteOption

        @Option(help: "The session's sample rate in hertz, 8000 to 768000; without it, the set's own.")
        var rate: SampleRate?

        @OptionGroup(title: "Preparation") var preparation: ParameterOptions<PreparationRows>

        func run() throws {
            let replacement = try former.settle([output], keeping: [set, directions])
            let table: DirectionTable
            do {
                table = try DirectionTable(contentsOf: directions)
            } catch {
                throw Failure(.input, error.description)
            }
            let (field, report) = try HRTFCommand.load(set, sampleRate: rate, options: preparation.options)
            do throws(TakeError) {
                try UnnamedFile.write(
                    Data(field.sampled(table.directions)), to: output, replaces: replacement.covers(output))
            } catch {
                throw SessionError(error)
            }
            let milliseconds = (report.commonDelayRemoved * 1e6).rounded() / 1e3
            say(
                "\(output): \(table.directions.count) directions × 2 ears × \(field.tapCount) taps at "
                    + "\(Int(report.sessionRate)) Hz; "
                    + (milliseconds < 0
                        ? "\(-milliseconds) ms added to all" : "\(milliseconds) ms common to all removed"))
            for line in report.lines { say(line) }
        }
    }

    /// `hrtf generate`: writes the built-in generated set.
    struct Generate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes the built-in generated set.",
            discussion: """
                Example:
                  proscenium hrtf generate HRTF/generated.sofa
                """)

        @Argument(help: "File to write.", completion: .file())
        var output: String
        @OptionGroup var former: OverwriteOption

        func run() throws {
            let replacement = try former.settle([output])
            do {
                try GeneratedHead().set().write(to: output, isReplacing: replacement.covers(output))
            } catch {
                throw Failure(.environment, error.description)
            }
            say("\(output): \(GeneratedHead.directions.count) directions")
        }
    }
}
