import ArgumentParser
import Foundation
import HRTF
import SOFA
import Takes

extension SOFACommand {
    /// `sofa convert`: writes a file again in a standard convention.
    struct Convert: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a SOFA file anew, clean, so that other readers load it.",
            discussion: """
                A head of any convention becomes a SimpleFreeFieldHRIR, a headphone a SimpleHeadphoneIR, a room a SingleRoomSRIR, \
                or with several loudspeakers a SingleRoomMIMOSRIR (AES69-2022). Responses are copied in double precision, bit by \
                bit; transfer functions, sections and spherical harmonics are converted as they are for playing. All texts are \
                kept, and History describes the conversion. A file that 'sofa check' rejects is not converted.

                Sound files of a measured room become a SingleRoomMIMOSRIR too: HeSuVi's of 14 or 7 channels with 'hesuvi' in \
                their name, as Impulcifer writes them, or others with --layout, two channels for each loudspeaker. A folder of \
                such files, each with the head's yaw in its name, becomes a room for several yaws.

                Examples:
                  proscenium sofa convert old.sofa clean.sofa
                  proscenium sofa convert hesuvi.wav room.sofa
                """)

        @Argument(
            help: "The SOFA file to be read; or a sound file, or a folder of sound files by yaw.", completion: .file())
        var input: String
        @Argument(help: "The file to be written.", completion: .file(extensions: ["sofa"])) var output: String
        @Option(
            help: ArgumentHelp(
                "Loudspeakers of a sound file's channels, a layout's name or a JSON file.", valueName: "layout"),
            completion: .layouts)
        var layout: String?
        @OptionGroup var former: OverwriteOption
        @Flag(help: ArgumentHelp("The same as --overwrite.", visibility: .hidden)) var force = false
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            // The output may be the input file itself.
            let replacement = force ? .anything : try former.settle([output])
            let (input, output, layout) = (input, output, layout)
            let isSound = RecordedRoom.isNamed(input)
            guard isSound || layout == nil else {
                throw Failure(.usage, "--layout is for sound files; a SOFA file holds its own loudspeakers")
            }
            let done = try await interruptible { interrupt in
                let progress = Progress("sofa convert")
                defer { progress.finish() }
                let going = progress.until(interrupt)
                do {
                    if isSound {
                        let author = SOFAConversion.Author.now
                        let title = (input as NSString).lastPathComponent
                        let recorded = try RecordedRoom(
                            at: input, layout: layout, attributes: author.attributes(title: title), going: going)
                        try recorded.room.write(to: output, isReplacing: replacement.covers(output))
                        return Done(recorded)
                    }
                    var conversion = try SOFAConversion(contentsOf: input, by: .now) { going(0.4 * $0) }
                    if let head = conversion.head, try HRTFInspection.hasEarsExchanged(head) {
                        conversion.exchangeEars()
                    }
                    let partial = SOFAConversion.partialPath(of: output)
                    let unfinished = Unfinished.add { unlink(partial) }
                    defer { Unfinished.forget(unfinished) }
                    try conversion.write(to: output, isReplacing: replacement.covers(output)) { going(0.4 + 0.6 * $0) }
                    return Done(conversion)
                } catch HRTFError.implausible(let path, let reason) {
                    throw Failure(.input, "\(path): \(reason)")
                } catch let error as SOFAError {
                    let isOurs = if case .unwritable = error { true } else { false }
                    throw Failure(isOurs ? .environment : .input, error.description)
                }
            }
            if json {
                return try JSONText.print([
                    "file": output, "from": ["file": input, "convention": done.source.0, "data_type": done.source.1],
                    "convention": done.convention, "measurements": done.sizes.0, "samples": done.sizes.1,
                    "emitters": done.sizes.2, "rate_hz": done.sampleRate, "remarks": done.notes,
                ])
            }
            let emitters = done.sizes.2 > 1 ? " × \(done.sizes.2) loudspeakers" : ""
            print(
                "\(output): \(done.convention), \(done.sizes.0)\(emitters) × 2 ears × \(done.sizes.1) samples at "
                    + String(format: "%.6g Hz", done.sampleRate) + ", from \(done.source.0) (\(done.source.1))")
            for note in done.notes { print("  note: \(note)") }
        }

        /// Facts on the written file, for the report.
        private struct Done: Sendable {
            let source: (String, String)
            let convention: String
            /// Measurements, samples, emitters.
            let sizes: (Int, Int, Int)
            let sampleRate: Double
            let notes: [String]

            init(_ recorded: RecordedRoom) {
                source = ("sound files", "FIR")
                let room = recorded.room
                (convention, sampleRate, notes) = (WrittenRoom.convention, room.sampleRate, recorded.notes)
                sizes = (room.yaws.count, room.sampleCount, room.loudspeakers.count)
            }

            init(_ conversion: SOFAConversion) {
                source = (conversion.source.convention, conversion.source.dataType)
                convention = conversion.convention
                sizes = (conversion.measurements, conversion.sampleCount, conversion.emitters)
                (sampleRate, notes) = (conversion.sampleRate, conversion.notes)
            }
        }
    }
}

extension SOFAConversion.Author {
    /// This program's version and the present time, UTC.
    static var now: SOFAConversion.Author {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyy-MM-dd HH:mm:ss"
        return SOFAConversion.Author(version: Proscenium.version, date: format.string(from: Date()))
    }
}
