import AudioIO
import Desk
import Loading
import Rendering
import Signal
import Soundstage
import Stages
import Takes

extension LiveSession {
    /// Carries out a command for playback as a whole.
    func perform(_ command: PlaybackCommand) -> SessionReply {
        defer { publishPlayback() }
        switch command {
        case .resume:
            follow(playback.route.resume())
            for name in playback.interruptions.resume() { tell(.interruptionEnded(name: name, resumes: true)) }
            applyInterruptions()
            return .done
        case .beginInterruption(let name, let effect, let lease):
            let isKnown = playback.interruptions.all.contains {
                $0.name == name && $0.effect == effect && !$0.lingers
            }
            // A client of this name vouches for it: when it goes, the interruption goes.
            let began = playback.interruptions.begin(
                name, effect, lease: lease, followsClient: stage.client.clientExists(name), at: now)
            guard began else { return .refused("\(Interruptions.most) interruptions are under way already") }
            // An interruption that is asked for again, to last longer, is no news.
            if !isKnown { tell(.interruptionBegan(name: name, effect: effect)) }
            applyInterruptions()
            return .done
        case .endInterruption(let name, let resumes):
            guard playback.interruptions.end(name, resumes: resumes) else {
                let names = playback.interruptions.all.filter { !$0.lingers }.map(\.name)
                return .refused(
                    "'\(name)' has not asked for the stage; "
                        + (names.isEmpty ? "none has" : "\(names.joined(separator: ", ")) did"))
            }
            tell(.interruptionEnded(name: name, resumes: resumes))
            applyInterruptions()
            return .done
        }
    }

    /// The client's ports were connected or disconnected.
    func connectionsChanged() {
        let links = links
        follow(playback.route.change(to: ears(links), at: now))
        interruptByConnections(links)
        publishPlayback()
        server.hearsLinks?()
    }

    /// The ears lost these connections.
    func routeLost(_ links: [JACKLink]) {
        follow(playback.route.lose(links, at: now))
        publishPlayback()
        server.hearsLinks?()
    }

    /// Every 50 ms: what no event tells.
    func lookAtPlayback() {
        playback.looks += 1
        let renderer = stage.assembly.renderer
        // The audio thread mutes by itself. Should the server's word of it not come within a second, the user must know
        // anyhow.
        let isUntold = !renderer.gate.pointee.isOpen && playback.route.state != .held
        playback.untold = isUntold ? playback.untold + 1 : 0
        if playback.untold == Int(1 / PlaybackState.interval) { routeLost(playback.route.links) }
        // Five times a second is soon enough for what is gone already, and asks little of the server.
        if playback.looks % 4 == 0 {
            let client = stage.client
            follow(playback.route.look(portExists: client.portExists))
            let over = playback.interruptions.expire(at: now, clientExists: client.clientExists)
            for name in over { tell(.interruptionEnded(name: name, resumes: true)) }
            if !over.isEmpty {
                applyInterruptions()
                publishPlayback()
            }
        }
        tellChanges(of: renderer)
    }

    /// Before a stage plays: a route that was lost is lost for it too.
    func holdIfLost(_ renderer: StageRenderer) {
        if isHeld { renderer.gate.pointee.hold() }
    }

    /// Whether the ears are muted because their route was lost.
    package var isHeld: Bool { playback.route.state == .held }

    /// The connections of all our ports.
    var links: [JACKLink] { stage.client.links }

    /// After another client took the place of one with these connections: makes those that can be made again.
    /// `isBack`: because the server went, or runs otherwise.
    func restore(_ links: [JACKLink], of old: String, isBack: Bool = true) {
        // What is missing may come; the route says below what that means until then.
        let kept = connectAgain(links, of: old, isBack: isBack)
        follow(playback.route.reopen(with: ears(kept), at: now))
        if !isHeld { stage.assembly.renderer.gate.pointee.release() }
        publishPlayback()
    }

    /// Those of the ears; the port for MIDI gives too.
    private func ears(_ links: [JACKLink]) -> [JACKLink] {
        links.filter { $0.from.hasPrefix(stage.client.name + ":out_") }
    }

    /// Seconds of the session's clock.
    private var now: Double { environment.clock.now }

    private func tell(_ event: SessionEvent) { events.tell(event) }

    private func follow(_ steps: [OutputRoute.Step]) {
        for step in steps {
            switch step {
            case .close: for stage in stages { stage.assembly.renderer.gate.pointee.hold() }
            case .open: for stage in stages { stage.assembly.renderer.gate.pointee.release() }
            case .connect(let links): for link in links { try? stage.client.connect(link.from, to: link.to) }
            case .quit(let ports):
                let names = ports.joined(separator: ", ")
                end(with: SessionError(.environment, "the ears lost \(names) (--on-route-loss quit)"))
            case .tell(let event): tell(event)
            }
        }
    }

    /// Gives every input the gain that the interruptions leave it. Effects have no part in it: what they are sent is
    /// interrupted already, or interrupts.
    func applyInterruptions() {
        let renderer = stage.assembly.renderer
        for programme in renderer.programmes where !programme.programme.isEffect {
            let gain = playback.interruptions.gain(ofInput: programme.programme.name)
            if programme.controls.duck != gain { programme.change { $0.duck = gain } }
        }
    }

    /// Inputs that interrupt do so while something is connected to them.
    private func interruptByConnections(_ links: [JACKLink]) {
        let interrupters = settings.stage.programmes.inputs.filter { $0.interrupts != nil }
        guard !interrupters.isEmpty else { return }
        let connected = Set(links.map(\.to))
        var first = 0
        for programme in stage.assembly.renderer.programmes.map(\.programme) {
            let ports = stage.assembly.ports[first..<first + programme.inputCount]
            first += programme.inputCount
            guard let effect = interrupters.first(where: { $0.name == programme.name })?.interrupts else { continue }
            let isConnected = ports.contains { connected.contains("\(stage.client.name):in_\($0.symbol)") }
            let was = playback.connectedInterrupters.contains(programme.name)
            if isConnected, !was {
                // Where too many have the stage it is asked for again with the next connection that comes or goes.
                guard playback.interruptions.begin(programme.name, effect, at: now) else { continue }
                playback.connectedInterrupters.insert(programme.name)
                tell(.interruptionBegan(name: programme.name, effect: effect))
            } else if !isConnected, was {
                playback.connectedInterrupters.remove(programme.name)
                if playback.interruptions.end(programme.name, resumes: true) {
                    tell(.interruptionEnded(name: programme.name, resumes: true))
                }
            }
        }
        applyInterruptions()
    }

    /// Tells what changed of the inputs.
    private func tellChanges(of renderer: StageRenderer) {
        for status in renderer.programmes.map({ $0.status(nil) }) {
            let now = PlaybackState.Told(
                isSpatializing: status.isSpatializing, level: status.level, rendition: status.renditions?.playing)
            let before = playback.told.updateValue(now, forKey: status.name)
            guard let before, before != now else { continue }
            if before.isSpatializing != now.isSpatializing {
                tell(.spatializationChanged(input: status.name, isSpatializing: now.isSpatializing))
            }
            if let rendition = now.rendition, rendition != before.rendition {
                tell(.renditionChanged(input: status.name, rendition: rendition))
            }
            if before.level != now.level { tell(.levelChanged(input: status.name, level: now.level)) }
        }
    }

    /// Keeps the client's metadata up to date.
    private func publishPlayback() {
        let status = playback.status
        guard status != playback.published else { return }
        playback.published = status
        stage.client.publish(state: status.jsonLine)
    }
}
