import ArgumentParser
import Soundstage
import Stages

/// Compensation of a take's recorded device rotation, shared by the commands that read takes.
struct SteadyOption: ParsableArguments {
    @Option(
        help:
            "Rotate a take's sound field by FILE.orientation.csv beside it: world (its front stays at the device's first direction), horizon (level, with the device's front) or device (as recorded)."
    )
    var steady: SteadyMode?

    /// Applies the option to the settings.
    func apply(to stage: inout StageSettings) { stage.programmes.steady = steady }
}

extension SteadyMode: ExpressibleByArgument {}
