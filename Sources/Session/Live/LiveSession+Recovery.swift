import AudioIO
import Desk
import Foundation
import HeadTracking
import Loading
import Racks
import Rendering
import Signal
import Soundstage
import Stages
import Trackers

/// Recovery of a session from the loss of its server, and from changes of the server's rate.
extension LiveSession {
    /// Handles the loss of the server: completes the recordings and waits for a server, or ends the session
    /// (`followsRate`).
    func serverLost(_ reason: String) {
        guard outage == nil, !life.hasEnded else { return }
        guard server.followsRate else {
            return end(with: SessionError(.environment, "the JACK server is gone: \(reason)"))
        }
        note("the JACK server is gone: \(reason); the session continues when the server is back\(startWord)")
        let now = environment.clock.now
        playback.route.serverGone(at: now, grace: StandingConnections.grace)
        outage = ServerOutage(since: now, links: wantedLinks, client: stage.client.name, nextLook: now + 0.25)
        retire()
    }

    /// Starts a search for the server when one is due. If the server is back, a stage is built for it.
    func lookForServer() {
        let now = environment.clock.now
        guard var outage, outage.mayLook(at: now) else { return }
        outage.nextLook = now + outage.patience
        outage.patience = min(3, 1.5 * outage.patience)
        (outage.looks, outage.lookedAt) = (outage.looks + 1, now)
        self.outage = outage
        let since = outage.since
        Task { await take(await opened(), since: since) }
    }

    /// Opens a client of the running server on a thread of its own, because a server that hangs does not answer until
    /// it resumes.
    private func opened() async -> Result<any StageDriver, JACKError> {
        let (server, name) = (environment.server, settings.name)
        let outcome = await Worker.beside("server's return") { () -> Result<any StageDriver, JACKError> in
            do throws(JACKError) { return .success(try server.openStage(name: name)) } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let found): return found
        // No thread could be started. The next search follows soon.
        case .failure(let error): return .failure(.noServer(detail: error.description))
        }
    }

    /// Takes the result of a search for the server that was lost at time `since`.
    private func take(_ found: Result<any StageDriver, JACKError>, since: Double) async {
        if outage?.since == since { outage?.looks -= 1 }
        guard !life.isOver, !life.hasEnded, let outage, outage.since == since, !outage.isBuilding else {
            // An earlier search found the server, or the outage or the session is over.
            if case .success(let client) = found { client.close() }
            return
        }
        switch found {
        // Without a server the session continues to wait, and drops the reason. If the server was lost during a change
        // of rate, the change becomes a loss of the server.
        case .failure(.noServer): self.outage?.isOfRate = false
        // No stage can be built for such a rate.
        case .failure(let error) where error.isOfRate: cannotGoOn(SessionError(error))
        case .failure(let error):
            // The failure may be transient: the session tries again.
            self.outage?.isOfRate = false
            cannotGoOn(SessionError(error))
        case .success(let client):
            self.outage?.isBuilding = true
            await goOn(with: client, after: environment.clock.now - outage.since)
        }
    }

    /// Notes that the stage cannot play although the server is back, once the same failure has occurred twice in a row.
    /// A single failure may be due to another loss of the server. After a change of rate, a failure ends the session.
    private func cannotGoOn(_ error: SessionError) {
        guard let outage, outage.told != error.description else { return }
        if outage.isOfRate { return end(with: error) }
        guard outage.failure == error.description else {
            self.outage?.failure = error.description
            return
        }
        self.outage?.told = error.description
        note("the JACK server is back, and the stage cannot play yet: \(error.description)")
    }

    /// Replaces the driver and the stage after the server changed its rate. Without `followsRate` it only sets
    /// `isOutrun`.
    func reopen(at hertz: Double) {
        note(
            "the JACK server now runs at \(Int(hertz)) Hz; the stage is prepared anew\(server.followsRate ? startWord : "")"
        )
        guard server.followsRate else { return server.isOutrun = true }
        let now = environment.clock.now
        var change = ServerOutage(since: now, links: wantedLinks, client: stage.client.name, nextLook: now)
        change.isOfRate = true
        outage = change
        retire()
        lookForServer()
    }

    /// Hint that the stream needs another `start`; empty if the stream does not start by command.
    private var startWord: String {
        settings.start == .onRequest ? ", and is silent until 'ctl start' is sent again" : ""
    }

    /// Ends everything that runs on the present driver. Keeps the stage, because it contains the settings.
    private func retire() {
        endTransition(.refused("the JACK server stopped meanwhile; ask again"))
        takes.goOnElsewhere(after: stage)
        feed.attach([])
        stopWatches()
        stage.client.close()
        endMetering()
    }

    /// Builds a stage for another driver, with the present plugins and their states, and plays it.
    private func goOn(with client: any StageDriver, after seconds: Double) async {
        // Plugin commands in progress change the present rack, and must end first. Later ones wait for the new stage.
        while undo.pluginWork > 0 { try? await Task.sleep(for: .milliseconds(5)) }
        let chains = await Self.memory(of: stage.assembly.plugins)
        let made = await stage(for: client, chains.requests)
        outage?.isBuilding = false
        guard !life.isOver, !life.hasEnded, let outage else {
            if case .success = made { client.close() }
            return
        }
        let former = stage
        do throws(SessionError) {
            stage = try made.get()
            // The plugins keep the folder of their temporary states as long as necessary; the settings must not keep it
            // longer.
            stage.settings.plugins = settings.stage.plugins
            playback.published = nil
            server.transport = nil
            do throws(SessionError) { try begin(inPlaceOf: former) } catch {
                abandon()
                // The former stage contains the controls of the inputs.
                stage = former
                // The server may have been lost during `begin`. The session searches for it again.
                self.outage?.isOfRate = false
                throw error
            }
            self.outage = nil
            reviveOthers()
            // Returns the freed memory of the old stage to the system; glibc would keep some ten MB each time.
            HostMemory.returnUnused()
            restore(outage.links, of: outage.client)
            if !outage.isOfRate {
                let (gone, rate) = (Int(seconds.rounded()), Int(client.sampleRate.hertz))
                note("the JACK server is back after \(gone) s, at \(rate) Hz and \(client.periodFrames) frames")
            }
            environment.tell(.ready)
        } catch {
            cannotGoOn(error)
        }
    }

    /// Builds a stage for another driver on a thread of its own. This takes up to ten seconds with a long room. Closes
    /// the driver if the stage cannot be made.
    private func stage(for client: any StageDriver, _ chains: [PluginRequest]) async -> Result<Stage, SessionError> {
        var asked = settings
        asked.stage.plugins = chains
        // Plugins at a position that the present layout lacks are kept for other layouts.
        asked.stage.isForgiving = true
        let (said, layout, environment) = (asked, self.layout, self.environment)
        let outcome = await Worker.beside("stage") { () -> Result<Stage, SessionError> in
            do throws(SessionError) {
                return .success(try Self.make(said, layout, for: client, in: environment))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let made): return made
        case .failure(let error):
            client.close()
            return .failure(SessionError(.environment, error.description))
        }
    }

    /// Opens the MIDI client for a pedal or key that recentres, if the settings name one.
    func openMIDI() throws(SessionError) {
        guard let words = settings.midiControl else { return }
        let (feed, environment) = (self.feed, self.environment)
        server.midi = try MIDIControl(try .init(parsing: words), name: settings.name + "-control") {
            if let ask = environment.ask { ask(.recentre(.yaw)) } else { feed.recentre(.yaw) }
        }
    }

    /// Connections of the client's ports, and lost ones that are not restored yet.
    var wantedLinks: [JACKLink] {
        let present = links
        return present + server.returning.links.filter { !present.contains($0) }
    }

    /// Makes the connections of the former client `old` whose ports exist. The others are made when their ports appear.
    /// After the return of a server, a connection that breaks within some seconds is made again.
    ///
    /// - Parameter isBack: true after a loss of the server or a change of its rate; false if only the client was
    ///   replaced.
    /// - Returns: the connections made.
    func connectAgain(_ links: [JACKLink], of old: String, isBack: Bool) -> [JACKLink] {
        let name = stage.client.name
        func renamed(_ port: String) -> String { port.hasPrefix(old + ":") ? name + port.dropFirst(old.count) : port }
        server.returning = ReturningConnections(
            links.map { JACKLink(from: renamed($0.from), to: renamed($0.to)) }, areSetUp: isBack)
        return connectDue(present: [])
    }

    /// Makes connections of the earlier client whose ports have reappeared. Acts twice a second.
    func connectReturning() {
        guard !server.returning.isEmpty, playback.looks >= playback.nextReturningLook else { return }
        playback.nextReturningLook = playback.looks + 10
        _ = connectDue(present: links)
    }

    private func connectDue(present: [JACKLink]) -> [JACKLink] {
        let (client, now) = (stage.client, environment.clock.now)
        let due = server.returning.due(present: present, at: now, portExists: client.portExists)
        let made = due.filter { (try? client.connect($0.from, to: $0.to)) != nil }
        server.returning.refuse(due.filter { !made.contains($0) }, at: now)
        return made
    }
}

extension JACKError {
    /// Whether the error is that the server's rate is unsupported.
    fileprivate var isOfRate: Bool { if case .unsupportedSampleRate = self { true } else { false } }
}
