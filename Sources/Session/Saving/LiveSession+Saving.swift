import AudioIO

/// What a folder takes of a session, and gives to it.
extension LiveSession {
    /// All that is to come back.
    struct Snapshot {
        var values: [String: ParameterValue]
        var client: String
        var links: [JACKLink]
    }

    /// What there is now; connections as they were before the server went, where it is gone.
    func snapshot() -> Snapshot {
        let all = Set(outage?.links ?? wantedLinks)
        return Snapshot(
            values: environment.desk.state.state.values, client: outage?.client ?? stage.client.name,
            links: all.sorted { ($0.from, $0.to) < ($1.from, $1.to) })
    }

    /// Makes connections of a former session; those whose ports are not there yet when they come.
    func connect(_ links: [JACKLink], of former: String) { restore(links, of: former) }

    /// Saves all chains into a folder.
    func savePlugins(to folder: String) async throws(SessionError) {
        let plugins = stage.assembly.plugins
        if let reason = await Self.besides({ () throws(SessionError) in try plugins.save(to: folder) }) {
            throw SessionError(.environment, reason)
        }
    }
}
