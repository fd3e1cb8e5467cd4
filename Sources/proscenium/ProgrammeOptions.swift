import ArgumentParser
import Session
import Soundstage

/// Options that decide what is placed on the stage, shared by `run` and `render`.
struct ProgrammeOptions: ParsableArguments {
    @Option(
        help:
            "What is played: av (all formats are placed on the stage) or audio (multichannel only); by its metadata, else av."
    )
    var content: ProgrammeContent?

    @OptionGroup var choices: ParameterOptions<ProgrammeRows>

    @OptionGroup var upmix: UpmixOptions
}

extension ProgrammeContent: ExpressibleByArgument {}
