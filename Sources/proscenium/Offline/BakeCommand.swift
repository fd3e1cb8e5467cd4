import ArgumentParser
import AudioIO
import Foundation
import Loading
import Offline
import Session
import Soundstage
import Stages

/// `proscenium bake`: writes a multichannel file with mix parameters, and a stereo file for ordinary players.
struct BakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bake",
        abstract: "Writes a programme with its mix parameters, and a stereo fold-down beside it.",
        discussion: """
            Examples:
              proscenium bake film.wav master.wav --dialnorm -27 --drc film-standard
              proscenium bake bed.wav master.flac --layout 7.1 --bits 24 --stereo everywhere.flac

            Channels are written unchanged, in WAVE's order. FILE.json beside each file holds layout, loudness, true peak and the \
            mix parameters of the options; 'render' and other commands read it. The fold-down (ITU-R BS.775) is lowered where \
            its true peak would exceed -1 dBTP; the command prints by how much.
            """)

    @OptionGroup var files: ProgrammeFiles
    @Option(
        help: ArgumentHelp("File of the fold-down (default: NAME.stereo.EXTENSION).", valueName: "file"),
        completion: .file())
    var stereo: String?
    @OptionGroup var source: InputFileOptions
    @OptionGroup var steady: SteadyOption
    @OptionGroup(title: "Fold-down") var fold: FoldOptions
    @Option(help: ContentOption.contentHelp) var content: ProgrammeContent?
    @OptionGroup var choices: ParameterOptions<BakeRows>
    @OptionGroup(title: "Audio Mix of a sound field") var mix: MixOptions
    @OptionGroup(title: "Section") var section: SectionOptions
    @OptionGroup(title: "Input without a header") var raw: RawOptions
    @OptionGroup(title: "Output") var written: OutputOptions
    @Flag(help: "Print a report as JSON.") var json = false

    /// The settings, without the files.
    func settings() throws -> BakeSettings {
        var said = StageSettings()
        said.take(choices.changes)
        var stage = source.stage()
        steady.apply(to: &stage)
        try mix.apply(to: &stage)
        var settings = BakeSettings(
            stage: stage, input: "", output: "", stereo: stereo.map(StandardStream.output), fold: fold.settings,
            written: written.choice,
            order: source.order,
            dynamics: said.programmes.dynamics, content: content, changes: said.programmes.changes,
            stems: mix.places.stems, excerpt: section.excerpt)
        settings.reading = raw.reading(rate: written.rate)
        return settings
    }

    func run() async throws {
        let chosen = try settings()
        try refuseSharedFiles()
        try await reportAll("bake", files, written, json: json, outputs: chosen.outputs) {
            pair, written, progress throws(SessionError) in
            var settings = chosen
            (settings.input, settings.output, settings.written) = (pair.input, pair.output, written)
            return try OfflineSession.bake(settings, progress: progress)
        }
    }

    /// Throws for options that name one file for all programmes.
    private func refuseSharedFiles() throws {
        guard files.toFolder != nil else { return }
        if mix.places.stems != nil { throw Failure(.usage, "--stems is for one file; leave out --to-folder") }
        if stereo != nil {
            throw Failure(
                .usage, "--stereo names one file, but with --to-folder each programme has its own; leave out --stereo")
        }
    }
}

extension BakeSettings {
    /// Returns the files that are written for a programme.
    fileprivate func outputs(_ pair: ProgrammeFiles.Pair) -> [String] {
        var settings = self
        (settings.input, settings.output) = (pair.input, pair.output)
        let files = [pair.output] + (settings.hasFoldDown ? [settings.stereoPath] : [])
        return files.flatMap { [$0, ProgrammeMetadata.path(besideFile: $0)] }
    }
}
