import ArgumentParser
import Session
import Soundstage

/// Options that decide what is placed on the stage, shared by `run` and `render`.
struct ProgrammeOptions: ParsableArguments {
    @Option(help: ProgrammeOptions.contentHelp) var content: ProgrammeContent?

    /// What `--content` is for.
    static var contentHelp: ArgumentHelp {
        "What is played: av (all formats are placed on the stage) or audio (multichannel only); by its metadata, else av."
    }

    @OptionGroup var choices: ParameterOptions<ProgrammeRows>

    @OptionGroup var upmix: UpmixOptions

    @OptionGroup var mix: MixLatencyOption
}

extension ProgrammeContent: ExpressibleByArgument {}
