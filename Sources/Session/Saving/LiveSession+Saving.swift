import AudioIO
import Desk
import Loading
import Racks
import SavedSessions
import Stages
import Trackers

/// Exchange of a session's state with its folder.
extension LiveSession {
    /// Returns the present state as it is saved, without options, files and chains: the values, also of loudspeakers
    /// that the stage lacks; the client's name and its connections; stored data of the trackers; the heard scene and
    /// the choices of the other scenes, both left out during a blind comparison.
    ///
    /// - Parameter former: connections of the last save. Ports of this client have no client name in them. Connections
    ///   with a missing port are kept, because that port may come back.
    func snapshot(keeping former: [JACKLink]) -> SessionDocument {
        var now = snapshot()
        now.state = lasting
        (now.links, now.client) = savedLinks(keeping: former)
        SavedTrackers.merge(feed.known, into: &now.trackers)
        if staging.trial == nil { now.scenes = otherScenes }
        return now
    }

    /// Returns the connections to save and the name of the client that has them. Without a server these are the
    /// connections from before the loss of the server. Adds those of `former` with a missing port. If such a port feeds
    /// an input, the connection is made again once the port reappears: a player that is restarted does not lose its
    /// place. The policy `--on-route-loss` decides on lost connections of the outputs.
    func savedLinks(keeping former: [JACKLink]) -> (links: [JACKLink], client: String) {
        let client = outage?.client ?? stage.client.name
        func whole(_ port: String) -> String { port.hasPrefix(":") ? client + port : port }
        var all = Set(outage?.links ?? wantedLinks)
        for link in former {
            let named = JACKLink(from: whole(link.from), to: whole(link.to))
            let isHere = outage == nil && stage.client.portExists(named.from) && stage.client.portExists(named.to)
            guard !isHere, all.count < Self.mostLinks else { continue }
            all.insert(named)
            if outage == nil, named.to.hasPrefix(client + ":") { server.returning.add(named) }
        }
        return (all.sorted { ($0.from, $0.to) < ($1.from, $1.to) }, client)
    }

    /// Total number of connections above which those with missing ports are no longer added.
    private static let mostLinks = 1024

    /// Sets the callback for made and broken connections.
    func hearLinks(_ hears: (@Sendable () -> Void)?) { server.hearsLinks = hears }

    /// Choices of the scenes that are not heard, by scene and parameter.
    private var otherScenes: [String: SessionValues] {
        var found: [String: SessionValues] = [:]
        for (scene, stage) in staging.kept {
            for parameter in Parameter.all where parameter.rebuildsStage {
                guard case .stage(let read) = parameter.reading else { continue }
                found[Staging.names[scene], default: [:]][parameter.id] = read(stage.settings.choices)
            }
        }
        return found
    }

    /// Gives the heard stage the scene name of an earlier session. Call before other scenes exist.
    func begin(inScene name: String) {
        guard let scene = Staging.names.firstIndex(of: name), staging.kept.isEmpty, staging.transition == nil else {
            return
        }
        staging.scene = scene
    }

    /// Builds another scene of an earlier session, unheard. Returns the reason if it fails, else nil.
    func begin(scene name: String, _ values: [String: ParameterValue], plugins: [PluginRequest]) async -> String? {
        let reply = await inTurn {
            guard let scene = Staging.names.firstIndex(of: name), scene != staging.scene, staging.kept[scene] == nil
            else { return .refused("there is a scene \(name) already") }
            if let reason = whyNoOtherStage { return .refused(reason) }
            var wanted = stage.settings
            for (id, value) in values.sorted(by: { $0.key < $1.key }) {
                guard let parameter = Parameter.named(id), case .stage(let set) = parameter.effect else { continue }
                do throws(ParameterError) {
                    set(&wanted.choices, try parameter.value(of: value.written))
                } catch {
                    return .refused(error.description)
                }
            }
            let client = stage.client
            let made = await build(wanted, chains: plugins)
            guard client === stage.client, outage == nil else { return .refused("the JACK server changed meanwhile") }
            return admit(made, as: scene).map { .refused($0.description) } ?? .done
        }
        if case .refused(let reason) = reply { return reason }
        return nil
    }

    /// Makes connections of an earlier session. Those with missing ports are made when the ports appear.
    func connect(_ links: [JACKLink], of former: String) { restore(links, of: former) }

    /// Saves the chains of all scenes into a session's folder.
    func savePlugins(in folder: String) async throws(SessionError) {
        let racks = staging.kept.merging([staging.scene: stage]) { $1 }.map { scene, stage in
            (folder + "/" + SessionDocument.plugins(of: Staging.names[scene]), stage.assembly.plugins)
        }
        let reason = await Self.besides { () throws(SessionError) in
            var failure: SessionError?
            for (folder, plugins) in racks {
                do throws(SessionError) { try plugins.save(to: folder) } catch { failure = failure ?? error }
            }
            if let failure { throw failure }
        }
        if let reason { throw SessionError(.environment, reason) }
    }
}
