import AudioIO

extension LiveSession {
    /// Does something with the plugins. Making an instance takes up to some tens of milliseconds.
    func perform(_ command: PluginCommand) -> SessionReply {
        let plugins = stage.assembly.plugins
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
        let (remarks, latencyChanged) = stage.assembly.plugins.look()
        for remark in remarks { note(remark) }
        if latencyChanged { stage.client.latencyChanged() }
    }
}
