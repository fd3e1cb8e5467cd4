import ArgumentParser
import Foundation
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

            Channels are written as they are, in WAVE's order. FILE.json beside each file holds layout, loudness, true peak and \
            what you say of the mix; 'render' and others find it there. The fold-down (ITU-R BS.775) is lowered where its true \
            peak would exceed -1 dBTP, and says by how much.
            """)

    @Argument(help: "The programme: any format libsndfile reads.", completion: .file()) var input: String
    @Argument(help: "Where its channels go.", completion: .file()) var output: String
    @Option(help: ArgumentHelp("Where the stereo file goes (default: NAME.stereo.EXTENSION).", valueName: "file"))
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
    @Flag(help: "Print what was done as JSON.") var json = false

    func run() async throws {
        var said = StageSettings()
        said.take(choices.changes)
        var stage = source.stage()
        steady.apply(to: &stage)
        try mix.apply(to: &stage)
        var settings = BakeSettings(
            stage: stage, input: input,
            output: output, stereo: stereo, fold: fold.settings, written: written.choice, order: source.order,
            dynamics: said.programmes.dynamics, content: content, changes: said.programmes.changes,
            stems: mix.places.stems, excerpt: section.excerpt)
        settings.reading = raw.reading(rate: written.rate)
        try refuseMixture(output, json: json)
        let chosen = settings
        try await report("bake", json: json) { progress in
            try OfflineSession.bake(chosen, progress: progress)
        }
    }
}
