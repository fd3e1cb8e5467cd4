import AudioIO
import Desk
import Loading
import Rendering
import Signal
import Soundstage
import Stages
import Takes

extension LiveSession {
    /// Carries out a command of playback as a whole.
    func perform(_ command: SessionCommand.Playback) -> SessionReply {
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
            // If a JACK client has the interruption's name, the interruption ends when that client is closed.
            let began = playback.interruptions.begin(
                name, effect, lease: lease, followsClient: stage.client.clientExists(name), at: now)
            guard began else { return .refused("\(Interruptions.most) interruptions are in progress already") }
            // The renewal of an interruption sends no event.
            if !isKnown { tell(.interruptionBegan(name: name, effect: effect)) }
            applyInterruptions()
            return .done
        case .endInterruption(let name, let resumes):
            guard playback.interruptions.end(name, resumes: resumes) else {
                let names = playback.interruptions.all.filter { !$0.lingers }.map(\.name)
                return .refused(
                    "there is no interruption '\(name)'; "
                        + (names.isEmpty ? "none is in progress" : "there are \(names.joined(separator: ", "))"))
            }
            tell(.interruptionEnded(name: name, resumes: resumes))
            applyInterruptions()
            return .done
        }
    }

    /// Handles a change of the client's connections.
    func connectionsChanged() {
        let links = links
        follow(playback.route.change(to: ears(links), at: now))
        interruptByConnections(links)
        publishPlayback()
        server.hearsLinks?()
    }

    /// Handles the loss of these connections of the outputs.
    func routeLost(_ links: [JACKLink]) {
        follow(playback.route.lose(links, at: now))
        publishPlayback()
        server.hearsLinks?()
    }

    /// Handles changes of playback without an event. Runs in every `tick`.
    func lookAtPlayback() {
        playback.looks += 1
        let renderer = stage.assembly.renderer
        // The audio thread mutes on its own. If the server's event does not follow within a second, the loss is noted
        // here.
        let isUntold = !renderer.gate.pointee.isOpen && playback.route.state != .held
        playback.untold = isUntold ? playback.untold + 1 : 0
        if playback.untold == Int(1 / PlaybackState.interval) { routeLost(playback.route.links) }
        // An interval of 200 ms is sufficient here, and reduces the load of the server.
        if playback.looks >= playback.nextRouteLook {
            playback.nextRouteLook = playback.looks + 4
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

    /// Mutes a stage before it plays if the route is lost.
    func holdIfLost(_ renderer: StageRenderer) {
        if isHeld { renderer.gate.pointee.hold() }
    }

    /// Whether the outputs are muted because their route was lost.
    package var isHeld: Bool { playback.route.state == .held }

    /// Connections of all ports of the client.
    var links: [JACKLink] { stage.client.links }

    /// Makes the connections of the former client `old` whose ports exist, and unmutes the outputs if the route permits
    /// it. `isBack`: whether the server was lost or changed its rate.
    func restore(_ links: [JACKLink], of old: String, isBack: Bool = true) {
        // A missing port may appear later. Until then the policy for a lost route applies.
        let kept = connectAgain(links, of: old, isBack: isBack)
        follow(playback.route.reopen(with: ears(kept), at: now))
        if !isHeld { stage.assembly.renderer.gate.pointee.release() }
        publishPlayback()
    }

    /// Returns the connections of the binaural output, without those of the MIDI output.
    private func ears(_ links: [JACKLink]) -> [JACKLink] {
        links.filter { $0.from.hasPrefix(stage.client.name + ":out_") }
    }

    /// Time in seconds of the session's clock.
    private var now: Double { environment.clock.now }

    private func tell(_ event: SessionEvent) { events.tell(event) }

    private func follow(_ steps: [OutputRoute.Step]) {
        for step in steps {
            switch step {
            case .close: for stage in stages { stage.assembly.renderer.gate.pointee.hold() }
            case .open: for stage in stages { stage.assembly.renderer.gate.pointee.release() }
            case .connect(let links):
                for link in links where (try? stage.client.connect(link.from, to: link.to)) == nil {
                    playback.route.refused(link)
                }
            case .quit(let ports):
                let names = ports.joined(separator: ", ")
                end(with: SessionError(.environment, "the ears lost \(names) (--on-route-loss quit)"))
            case .tell(let event): tell(event)
            }
        }
    }

    /// Sets the gain of each input that results from the interruptions in force. Effects are exempt: the inputs that
    /// feed them are already lowered, or are those that interrupt.
    func applyInterruptions() {
        let renderer = stage.assembly.renderer
        for programme in renderer.programmes where !programme.programme.isEffect {
            let gain = playback.interruptions.gain(ofInput: programme.programme.name)
            if programme.controls.duck != gain { programme.change { $0.duck = gain } }
        }
    }

    /// Names of the inputs of which no port is connected, effects excepted.
    var unconnectedInputs: [String] {
        let connected = Set(links.map(\.to))
        return programmePorts.filter { !$0.programme.isEffect && !isConnected($0.ports, connected) }
            .map(\.programme.name)
    }

    /// The programmes with their ports, in the order of the ports.
    private var programmePorts: [(programme: Programme, ports: ArraySlice<StagePort>)] {
        var first = 0
        return stage.assembly.renderer.programmes.map(\.programme).map { programme in
            defer { first += programme.inputCount }
            return (programme, stage.assembly.ports[first..<first + programme.inputCount])
        }
    }

    /// Returns whether one of the ports is in `connected`, which contains full JACK names.
    private func isConnected(_ ports: ArraySlice<StagePort>, _ connected: Set<String>) -> Bool {
        ports.contains { connected.contains("\(stage.client.name):in_\($0.symbol)") }
    }

    /// Starts and ends the interruptions of inputs that interrupt while something is connected to them.
    private func interruptByConnections(_ links: [JACKLink]) {
        let interrupters = settings.stage.programmes.inputs.filter { $0.interrupts != nil }
        guard !interrupters.isEmpty else { return }
        let connected = Set(links.map(\.to))
        for (programme, ports) in programmePorts {
            guard let effect = interrupters.first(where: { $0.name == programme.name })?.interrupts else { continue }
            let isConnected = isConnected(ports, connected)
            let was = playback.connectedInterrupters.contains(programme.name)
            if isConnected, !was {
                // If there are too many interruptions, the next change of connections tries again.
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

    /// Sends events for the changes of the inputs.
    private func tellChanges(of renderer: StageRenderer) {
        for status in renderer.programmes.map({ $0.status(nil) }) {
            let now = PlaybackState.Told(
                isSpatializing: status.isSpatializing, level: status.level, rendition: status.renditions?.playing)
            let before = playback.told.updateValue(now, forKey: status.name)
            guard let before, before != now else { continue }
            if before.level != now.level { tell(.levelChanged(input: status.name, level: now.level)) }
            // In a blind comparison the other scene might have no such event.
            guard staging.trial == nil else { continue }
            if before.isSpatializing != now.isSpatializing {
                tell(.spatializationChanged(input: status.name, isSpatializing: now.isSpatializing))
            }
            if let rendition = now.rendition, rendition != before.rendition {
                tell(.renditionChanged(input: status.name, rendition: rendition))
            }
        }
    }

    /// Publishes a changed playback status as metadata of the client.
    private func publishPlayback() {
        let status = playback.status
        guard status != playback.published else { return }
        playback.published = status
        stage.client.publish(state: status.jsonLine)
    }
}
