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

/// Sessions outlive their server, and changes of its rate.
extension LiveSession {
    /// The server is gone: what was recorded is completed, and the session waits.
    func serverLost(_ reason: String) {
        guard outage == nil, !life.hasEnded else { return }
        guard server.followsRate else {
            return end(with: SessionError(.environment, "the JACK server is gone: \(reason)"))
        }
        note("the JACK server is gone: \(reason); the session goes on when it is back\(startWord)")
        let now = environment.clock.now
        playback.route.serverGone(at: now, grace: StandingConnections.grace)
        outage = ServerOutage(since: now, links: wantedLinks, client: stage.client.name, nextLook: now + 0.25)
        retire()
    }

    /// Looks, when it is time, whether the server is back; has a stage built for it where it is.
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

    /// A client of the server there is, opened on a thread of its own: one that stands still answers when it goes on.
    private func opened() async -> Result<any StageDriver, JACKError> {
        let (server, name) = (environment.server, settings.name)
        let outcome = await Beside.run("server's return") { () -> Result<any StageDriver, JACKError> in
            do throws(JACKError) { return .success(try server.openStage(name: name)) } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let found): return found
        // It is looked for again soon.
        case .failure(let error): return .failure(.noServer(detail: error.description))
        }
    }

    /// What came of looking for the server that went at a time.
    private func take(_ found: Result<any StageDriver, JACKError>, since: Double) async {
        if outage?.since == since { outage?.looks -= 1 }
        guard !life.isOver, !life.hasEnded, let outage, outage.since == since, !outage.isBuilding else {
            // Another look came before this one, or none is waited for any more.
            if case .success(let client) = found { client.close() }
            return
        }
        switch found {
        // No server is what is waited for; why there is none is of no interest.
        // One of another rate went in that moment.
        case .failure(.noServer): self.outage?.isOfRate = false
        // Of such a rate nothing can be made.
        case .failure(let error) where error.isOfRate: cannotGoOn(SessionError(error))
        case .failure(let error):
            // It may be all right in a moment, and is asked again.
            self.outage?.isOfRate = false
            cannotGoOn(SessionError(error))
        case .success(let client):
            self.outage?.isBuilding = true
            await goOn(with: client, after: environment.clock.now - outage.since)
        }
    }

    /// The stage does not play: that is told when it comes twice. A server that goes in the middle of an attempt fails
    /// it in one way or another, and is then waited for.
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

    /// The server runs at another rate: a driver and a stage for it take the place of the old.
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

    /// Where the stream began by the user's word, another word begins the new one.
    private var startWord: String {
        settings.start == .onRequest ? ", and is silent until 'ctl start' is said again" : ""
    }

    /// Ends what the present driver carries; its stage is kept for what it holds.
    private func retire() {
        endTransition(.refused("the JACK server went meanwhile; ask again"))
        takes.goOnElsewhere(after: stage)
        feed.attach([])
        stopWatches()
        stage.client.close()
        endMetering()
    }

    /// Has a stage built for another driver, with the plugins as they are, and plays it.
    private func goOn(with client: any StageDriver, after seconds: Double) async {
        // What is being done to plugins belongs to them as they are; what is asked of them from now on waits.
        while undo.pluginWork > 0 { try? await Task.sleep(for: .milliseconds(5)) }
        let chains = await Self.memory(of: stage.assembly.plugins)
        defer { chains.forget() }
        let made = await stage(for: client, chains.requests)
        outage?.isBuilding = false
        guard !life.isOver, !life.hasEnded, let outage else {
            if case .success = made { client.close() }
            return
        }
        let former = stage
        do throws(SessionError) {
            stage = try made.get()
            playback.published = nil
            server.transport = nil
            do throws(SessionError) { try begin(inPlaceOf: former) } catch {
                abandon()
                // It holds what was asked for.
                stage = former
                // It may have gone in that moment, and is looked for.
                self.outage?.isOfRate = false
                throw error
            }
            self.outage = nil
            reviveOthers()
            // What the old stage had is free, and goes back to the system: glibc would keep some ten MB each time.
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

    /// A stage for another driver, built on a thread of its own: with a long room up to ten seconds. The driver is
    /// closed where there can be none.
    private func stage(for client: any StageDriver, _ chains: [PluginRequest]) async -> Result<Stage, SessionError> {
        var asked = settings
        asked.stage.plugins = chains
        let (said, layout, environment) = (asked, self.layout, self.environment)
        let outcome = await Beside.run("stage") { () -> Result<Stage, SessionError> in
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

    /// Opens the client whose keys recentre, where one was asked for.
    func openMIDI() throws(SessionError) {
        guard let words = settings.midiControl else { return }
        let (feed, environment) = (self.feed, self.environment)
        server.midi = try MIDIControl(try .init(parsing: words), name: settings.name + "-control") {
            if let ask = environment.ask { ask(.recentre(.yaw)) } else { feed.recentre(.yaw) }
        }
    }

    /// The connections of our ports, and those that have not come back yet.
    var wantedLinks: [JACKLink] {
        let present = links
        return present + server.returning.links.filter { !present.contains($0) }
    }

    /// Connects what another client was connected to whose place this one has taken, as far as that can be done; the
    /// rest when it can, or as long as it does not stand.
    ///
    /// - Parameter isBack: whether the server is another, or runs otherwise; else only the client is.
    /// - Returns: what was connected.
    func connectAgain(_ links: [JACKLink], of old: String, isBack: Bool) -> [JACKLink] {
        let name = stage.client.name
        func renamed(_ port: String) -> String { port.hasPrefix(old + ":") ? name + port.dropFirst(old.count) : port }
        server.returning = ReturningConnections(
            links.map { JACKLink(from: renamed($0.from), to: renamed($0.to)) }, areSetUp: isBack)
        return connectDue(present: [])
    }

    /// Twice a second: makes connections whose ports have come back since the server did.
    func connectReturning() {
        guard !server.returning.isEmpty, playback.looks % 10 == 0 else { return }
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
    /// Whether the server's rate is what cannot be.
    fileprivate var isOfRate: Bool { if case .unsupportedSampleRate = self { true } else { false } }
}
