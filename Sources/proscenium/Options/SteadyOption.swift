import ArgumentParser
import Capture
import Session
import Stages

/// Compensation of a take's recorded device rotation, shared by the commands that read takes.
struct SteadyOption: ParsableArguments {
    @Option(
        help:
            "Turn a take's sound field by FILE.orientation.csv beside it, so that it holds to the world or the horizon; device: as recorded."
    )
    var steady: SteadyMode?

    /// Applies the option to the settings.
    func apply(to stage: inout StageSettings) { stage.programmes.steady = steady }
}

extension SteadyMode: ExpressibleByArgument {}
