import ArgumentParser
import Session
import Soundstage
import Stages

/// Options that decide what is placed on the stage, shared by `run` and `render`.
struct ProgrammeOptions: ParsableArguments {
    @OptionGroup(title: "Input") var kind: ContentOption

    @OptionGroup(title: "Input") var input: ParameterOptions<InputRows>

    @OptionGroup(title: "Upmix") var upmix: UpmixOptions

    @OptionGroup(title: "Upmix") var amounts: ParameterOptions<UpmixRows>

    @OptionGroup(title: "Audio Mix of a sound field") var mixing: ParameterOptions<MixRows>

    @OptionGroup(title: "Audio Mix of a sound field") var mix: MixLatencyOption

    @OptionGroup(title: "Loudness and dynamics") var loudness: ParameterOptions<LoudnessRows>

    /// What is played; nil: by its metadata.
    var content: ProgrammeContent? { kind.content }

    /// What was said of the main input, but for its mix, by the table.
    var changes: [ParameterChange] { input.changes + amounts.changes + loudness.changes }
}

/// What is played.
struct ContentOption: ParsableArguments {
    @Option(help: ContentOption.contentHelp) var content: ProgrammeContent?

    /// What `--content` is for.
    static var contentHelp: ArgumentHelp {
        "What is played: av (all formats are placed on the stage) or audio (multichannel only); by its metadata, else av."
    }
}

extension ProgrammeContent: ExpressibleByArgument {}
