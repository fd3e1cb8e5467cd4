import ArgumentParser
import Foundation
import Loading
import Metering
import Offline
import Session
import Soundstage
import Stages
import Takes

/// `proscenium loudness`: measures the loudness of files.
struct LoudnessCommand: AsyncParsableCommand, CheckedOptions {
    static let configuration = CommandConfiguration(
        commandName: "loudness",
        abstract: "Measures the loudness of sound files: integrated, range, true peak (EBU R 128).",
        discussion: """
            Examples:
              proscenium loudness mix.wav
              proscenium loudness --save *.wav

            Channels are weighted by the directions of the layout's loudspeakers (BS.1770-5); the LFE is not measured. --save writes \
            the figures into FILE.json beside each file, where 'render' finds them. --svg draws the loudness of one file over \
            time.
            """)

    @Argument(help: "Sound files.", completion: .file()) var files: [String]
    @OptionGroup var input: InputFileOptions
    @OptionGroup(title: "Section") var section: SectionOptions
    @OptionGroup(title: "Input without a header") var raw: RawOptions
    @Flag(help: "Write the figures into FILE.json beside each file.") var save = false
    @Flag(help: "Print a list of objects as JSON.") var json = false
    @Option(
        help: ArgumentHelp("Draw momentary and short-term loudness over time into this SVG file.", valueName: "file"),
        completion: .file())
    var svg: String?
    @OptionGroup var former: OverwriteOption

    func check() throws {
        guard !save || section.excerpt.isWhole else {
            throw ValidationError(
                "--save keeps the figures of the whole file: leave out --from, --until and --duration")
        }
        guard !save || !files.contains("-") else {
            throw ValidationError("--save writes FILE.json beside a file; '-' is standard input")
        }
        guard svg == nil || files.count == 1 else { throw ValidationError("--svg draws one file at a time") }
    }

    func run() async throws {
        let replacement = try former.settle([svg], keeping: files.map { $0 })
        let interrupt = Interrupt()
        var measured: [LoudnessMeasurement] = []
        var failure: SessionError?
        for file in files {
            let progress = Progress(file)
            defer { progress.finish() }
            var plot = LoudnessPlot()
            do throws(SessionError) {
                let found = try LoudnessMeasurement(
                    file: file, stage: input.stage(), order: input.order, excerpt: section.excerpt,
                    reading: raw.reading(), looks: svg == nil ? nil : { plot.add($0) },
                    progress: progress.until(interrupt))
                progress.finish()
                plot.title = found.line
                plot.integrated = found.loudness.integrated
                if json {
                    measured.append(found)
                } else {
                    Swift.print(found.line)
                    for remark in found.remarks { say(remark) }
                }
                if let svg { try Self.draw(plot, into: svg, replacement) }
                if save {
                    let path = try found.save(reading: raw.reading())
                    if !json { say("saved in \(path)") }
                }
            } catch {
                // A faulty file does not stop the measurement of the others.
                progress.finish()
                if let failure { say("proscenium: \(failure.description)") }
                failure = error
            }
            if interrupt.isRequested { break }
        }
        if json { try JSONText.print(measured) }
        if let failure { throw failure }
    }

    /// Draws the plot; converts all errors to `SessionError`.
    private static func draw(
        _ plot: LoudnessPlot, into path: String, _ replacement: Replacement
    ) throws(SessionError) {
        do { try DrawingFile.write(plot.drawing, svg: path, replacing: replacement) } catch {
            throw error as? SessionError ?? SessionError(.environment, "\(error)")
        }
    }
}
