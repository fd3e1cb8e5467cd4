import ArgumentParser
import Session
import Soundstage
import Stages

/// Options of the programme on the stage, shared by `run`, `render` and `preview`.
struct ProgrammeOptions: ParsableArguments {
    @OptionGroup(title: "Input") var kind: ContentOption

    @OptionGroup(title: "Input") var input: ParameterOptions<InputRows>

    @OptionGroup(title: "Upmix") var upmix: UpmixOptions

    @OptionGroup(title: "Upmix") var amounts: ParameterOptions<UpmixRows>

    @OptionGroup(title: "Audio Mix of a sound field") var mixing: ParameterOptions<MixRows>

    @OptionGroup(title: "Audio Mix of a sound field") var mix: MixLatencyOption

    @OptionGroup(title: "Loudness and dynamics") var loudness: ParameterOptions<LoudnessRows>

    /// Kind of the programme; nil: by its metadata.
    var content: ProgrammeContent? { kind.content }

    /// The options of the main input as parameter changes, without its mix.
    var changes: [ParameterChange] { input.changes + amounts.changes + loudness.changes }
}

/// Kind of the programme.
struct ContentOption: ParsableArguments {
    @Option(help: ContentOption.contentHelp) var content: ProgrammeContent?

    /// Help of `--content`.
    static var contentHelp: ArgumentHelp {
        "Kind of programme: av (all formats are placed on the stage) or audio (only multichannel). The default is in its metadata, else av."
    }
}

extension ProgrammeContent: ExpressibleByArgument {}
