import AudioIO
import Desk
import Loading
import Racks
import SavedSessions
import Stages
import Trackers

/// What a folder takes of a session, and gives to it.
extension LiveSession {
    /// All that is to come back.
    struct Snapshot {
        var values: [String: ParameterValue]
        var client: String
        var links: [JACKLink]
        /// How each input met the listener before a comparison that is under way, a word by name.
        var modes: [String: String]
        /// What is known of the trackers, by the names they are remembered under.
        var trackers: HeadPoseFeed.Known
        /// The scene that is heard, and what the others are built of, by parameter; nil while two are compared blind.
        var scene: String?
        var scenes: [String: [String: ParameterValue]]?
    }

    /// The present state.
    ///
    /// - Parameter former: connections that were saved last, this client's ports without its name: those whose other
    ///   end is gone stay, for their client may come back.
    func snapshot(keeping former: [JACKLink]) -> Snapshot {
        let (links, client) = savedLinks(keeping: former)
        return Snapshot(
            values: environment.desk.state.state.values, client: client, links: links, modes: modesBefore,
            trackers: feed.known,
            scene: staging.trial == nil ? staging.name : nil, scenes: staging.trial == nil ? otherScenes : nil)
    }

    /// Connections that are to come back, as they were before the server went where it is gone, and the client that has
    /// them; with those of `former` whose other end is gone.
    func savedLinks(keeping former: [JACKLink]) -> (links: [JACKLink], client: String) {
        let client = outage?.client ?? stage.client.name
        func whole(_ port: String) -> String { port.hasPrefix(":") ? client + port : port }
        var all = Set(outage?.links ?? wantedLinks)
        for link in former {
            let named = JACKLink(from: whole(link.from), to: whole(link.to))
            let isHere = outage == nil && stage.client.portExists(named.from) && stage.client.portExists(named.to)
            if !isHere, all.count < Self.mostLinks { all.insert(named) }
        }
        return (all.sorted { ($0.from, $0.to) < ($1.from, $1.to) }, client)
    }

    /// Connections that are kept at most for ends that are gone, with all others.
    private static let mostLinks = 1024

    /// Tells whenever connections came or went.
    func hearLinks(_ hears: (@Sendable () -> Void)?) { server.hearsLinks = hears }

    /// What the scenes that are not heard are built of, by name and parameter.
    private var otherScenes: [String: [String: ParameterValue]] {
        var found: [String: [String: ParameterValue]] = [:]
        for (scene, stage) in staging.kept {
            for parameter in Parameter.all where parameter.rebuildsStage {
                guard case .stage(let read) = parameter.reading else { continue }
                found[Staging.names[scene], default: [:]][parameter.id] = read(stage.settings.choices)
            }
        }
        return found
    }

    /// The scene that is heard is this one of a former session; before there are others.
    func begin(inScene name: String) {
        guard let scene = Staging.names.firstIndex(of: name), staging.kept.isEmpty, staging.transition == nil else {
            return
        }
        staging.scene = scene
    }

    /// Has another scene that is not heard, as a former session had it; returns why not.
    func begin(scene name: String, _ values: [String: ParameterValue], plugins: [PluginRequest]) async -> String? {
        let reply = await inTurn {
            guard let scene = Staging.names.firstIndex(of: name), scene != staging.scene, staging.kept[scene] == nil
            else { return .refused("there is a scene \(name) already") }
            if let reason = whyNoOtherStage { return .refused(reason) }
            var wanted = stage.settings
            for (id, value) in values.sorted(by: { $0.key < $1.key }) {
                if case .stage(let set)? = Parameter.named(id)?.effect { set(&wanted.choices, value) }
            }
            let client = stage.client
            let made = await build(wanted, chains: plugins)
            guard client === stage.client, outage == nil else { return .refused("the JACK server changed meanwhile") }
            return admit(made, as: scene).map { .refused($0.description) } ?? .done
        }
        if case .refused(let reason) = reply { return reason }
        return nil
    }

    /// Makes connections of a former session; those whose ports are not there yet when they come.
    func connect(_ links: [JACKLink], of former: String) { restore(links, of: former) }

    /// Saves the chains of all scenes into a session's folder.
    func savePlugins(in folder: String) async throws(SessionError) {
        let racks = staging.kept.merging([staging.scene: stage]) { $1 }.map { scene, stage in
            (folder + "/" + SavedSession.plugins(of: Staging.names[scene]), stage.assembly.plugins)
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
