import AudioIO
import MotionLogs
import Rendering
import Soundstage
import Stages

/// A live stage and its driver. Both are created anew when the server returns or changes its rate.
struct LiveStage {
    var client: any StageDriver
    /// The main programme's loudspeakers.
    var layout: Layout
    /// Settings that the stage was built from.
    var settings: StageSettings
    var assembly: StageAssembly
    /// Rendering for the print bus; nil without one.
    var print: StageAssembly?
    /// Changes of controls from a motion log; nil without a log, or if the log has none.
    var automation: [StageChange]?
    /// Changes of plugins from the motion log.
    var pluginChanges: [MotionRecording.PluginChange] = []

    /// Returns the input with this name; nil if there is none.
    func input(_ name: String) -> ProgrammeRenderer? {
        assembly.renderer.programmes.first { $0.programme.name == name }
    }

    /// Returns the properties of an input of this stage that decide which values the input accepts.
    func circumstances(of input: ProgrammeRenderer) -> ProgrammeRefusal {
        ProgrammeRefusal(programme: input.programme, isMeasured: assembly.isMeasured(input.programme.name))
    }
}
