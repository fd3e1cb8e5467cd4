import AudioIO
import MotionLogs
import Rendering
import Soundstage
import Stages

/// A stage that plays live, and its driver: what is opened anew when the server's rate changes.
struct LiveStage {
    var client: any StageDriver
    /// The main programme's loudspeakers.
    var layout: Layout
    /// What it was built of.
    var settings: StageSettings
    var assembly: StageAssembly
    /// What prints it; nil without a print bus.
    var print: StageAssembly?
    /// What a motion log has asked of it; nil without one, or where it does not say.
    var automation: [StageChange]?
    /// What it has asked of plugins.
    var pluginChanges: [MotionRecording.PluginChange] = []

    /// The input of a name; nil where there is none.
    func input(_ name: String) -> ProgrammeRenderer? {
        assembly.renderer.programmes.first { $0.programme.name == name }
    }
}
