import ArgumentParser
import Foundation
import Loading
import Offline
import Session
import Soundstage
import Stages

/// `proscenium upmix`: upmixes a stereo file to a stage.
struct UpmixCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upmix",
        abstract:
            "Upmixes a stereo or mono file to 5.1 or a wider layout; the output is aligned in time and as long as the file.",
        discussion: """
            Examples:
              proscenium upmix song.wav stage.wav
              proscenium upmix song.wav stage.wav --mode energy --layout 7.1.4
              proscenium upmix film-ltrt.wav stage.wav --mode matrix

            'identity' keeps the ITU downmix: folded down to stereo, the output (with --decorrelate off) is the input. 'energy' keeps \
            the power instead. 'matrix' decodes Lt/Rt, as Dolby Surround, Pro Logic II or 'process --fold-down ltrt' encode it: \
            to seven channels if the layout has sides and backs, else to five. The LFE channel is silent.
            """)

    /// Value of `--decorrelate`.
    enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

    @OptionGroup var files: ProgrammeFiles
    @Option(
        help: "Law: identity (keeps the downmix), energy (keeps the power) or matrix (decodes Lt/Rt).")
    var mode: UpmixMode = .identity
    @Option(help: "Look-ahead: player (43 ms) or live (2 ms).")
    var latency: UpmixLatency = .player
    @OptionGroup var amounts: ParameterOptions<UpmixRows>
    @Option(
        help: ArgumentHelp(
            "The layout: 5.1, 7.1, 5.1.2, 5.1.4, 7.1.2, 7.1.4 or 9.1.6.", valueName: "layout"),
        completion: .layouts)
    var layout: String = "5.1"
    @Option(help: "Decorrelation of the surround channels: on or off.") var decorrelate: Switch = .on
    @Option(help: "Placement of a mono file: centre or wide.") var mono: MonoPlacement = .centre
    @OptionGroup(title: "Section") var section: SectionOptions
    @OptionGroup(title: "Input without a header") var raw: RawOptions
    @OptionGroup(title: "Output") var written: OutputOptions
    @Flag(help: "Print a report as JSON.") var json = false

    func run() async throws {
        var settings = UpmixSettings(input: "", output: "")
        settings.upmix.layout = layout
        (settings.upmix.mode, settings.upmix.latency, settings.upmix.mono) = (mode, latency, mono)
        settings.upmix.take(amounts.changes)
        settings.decorrelates = decorrelate == .on
        settings.excerpt = section.excerpt
        settings.reading = raw.reading(rate: written.rate)
        let chosen = settings
        try await reportAll("upmix", files, written, json: json) { pair, written, progress throws(SessionError) in
            var settings = chosen
            (settings.input, settings.output, settings.written) = (pair.input, pair.output, written)
            return try OfflineSession.upmix(settings, progress: progress)
        }
    }
}
