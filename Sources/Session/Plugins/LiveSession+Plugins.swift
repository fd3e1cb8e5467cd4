import AudioIO
import Rendering

extension LiveSession {
    /// Does something with the plugins. Making an instance takes up to some tens of milliseconds.
    func perform(_ command: PluginCommand) -> SessionReply {
        let plugins = stage.assembly.plugins
        // A motion log has what was before, and what is from here on.
        recordMotion()
        defer { recordMotion() }
        do throws(SessionError) {
            try plugins.perform(command, period: stage.client.periodFrames)
        } catch {
            return .refused(error.description)
        }
        lookAtPlugins()
        if case .list = command { return .plugins(plugins.status) }
        return .done
    }

    /// Goes on with changes of chains, tells what plugins do, and has the server hear of another latency.
    func lookAtPlugins() {
        if let played = stage.assembly.renderer.telemetry()?.streamFrame { stage.assembly.plugins.play(from: played) }
        let (remarks, latencyChanged) = stage.assembly.plugins.look()
        for remark in remarks { note(remark) }
        if latencyChanged { stage.client.latencyChanged() }
    }
}
