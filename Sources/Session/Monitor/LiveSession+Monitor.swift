import AudioIO
import Desk
import Loading
import Rendering
import Soundstage
import Stages
import Trackers

/// The monitor section of a running session.
extension LiveSession {
    /// Names of the virtual loudspeakers of all inputs and effects, source by source.
    var loudspeakerNames: [String] { Self.loudspeakers(of: stage.assembly) }

    private static func loudspeakers(of assembly: StageAssembly) -> [String] { all(of: assembly).map(\.symbol) }

    private static func all(of assembly: StageAssembly) -> [Loudspeaker] {
        assembly.renderer.configuration.programmes.flatMap(\.programme.layout.loudspeakers)
    }

    /// Reason why a change of the section is refused.
    private struct Refusal: Error { let reason: String }

    /// Returns the loudspeakers that a change addresses, each once.
    private func loudspeakers(of change: ParameterChange) -> Result<[String], Refusal> {
        var known: [String] = []
        for name in loudspeakerNames where !known.contains(name) { known.append(name) }
        guard !known.isEmpty else {
            return .failure(
                Refusal(reason: "there are no loudspeakers here: a sound field (\(layout.name)) is played without any"))
        }
        let meant = known.filter { $0 == change.input ?? $0 }
        guard meant.isEmpty, let name = change.input else { return .success(meant) }
        guard let group = LoudspeakerGroup(rawValue: name) else {
            let all = known.joined(separator: ", ")
            let groups = LoudspeakerGroup.allCases.map(\.rawValue).joined(separator: ", ")
            return .failure(
                Refusal(reason: "there is no loudspeaker '\(name)'; there are \(all), and the groups \(groups)"))
        }
        let members = Set(Self.all(of: stage.assembly).filter(group.contains).map(\.symbol))
        guard !members.isEmpty else {
            return .failure(Refusal(reason: "none of the loudspeakers here belongs to '\(name)'"))
        }
        return .success(known.filter(members.contains))
    }

    /// Performs an action that needs more than the section's settings.
    func perform(_ act: Parameter.ListeningAct, _ change: ParameterChange) -> SessionReply {
        switch act {
        case .soloClear: return clearSolos(change.value)
        case .testNoise: return playNoise(change)
        case .foldDown: return refusalWhileBlind ?? fold(to: change.value)
        case .compare: return refusalWhileBlind ?? compare(change.value)
        case .have(let inputs):
            let isThere = monitoring.inputs.contains(inputs)
            let wants = change.value == .word("toggle") ? !isThere : change.value == .word("on")
            return have(wants ? monitoring.inputs.union(inputs) : monitoring.inputs.subtracting(inputs))
        }
    }

    /// Refusal of a change that one of two blindly compared scenes may refuse, which would identify it; nil without a
    /// comparison.
    private var refusalWhileBlind: SessionReply? {
        staging.trial == nil ? nil : .refused(CommandExecution.Condition.noBlindComparison.refusal)
    }

    /// Opens exactly these inputs that bypass the stage, and closes all others. During an outage of the server they are
    /// opened when it returns.
    private func have(_ inputs: MonitorInputs) -> SessionReply {
        guard inputs != monitoring.inputs else { return .done }
        if outage == nil {
            do throws(JACKError) { try stage.client.open(inputs) } catch { return .refused(error.description) }
        }
        monitoring.have(inputs)
        tellMonitor()
        return .done
    }

    /// Starts test noise from the named loudspeaker, or ends it. Without a name: from the centre, the mono or the first
    /// loudspeaker.
    private func playNoise(_ change: ParameterChange) -> SessionReply {
        switch loudspeakers(of: change) {
        case .failure(let refusal): return .refused(refusal.reason)
        case .success(let names):
            guard change.input == nil || names == [change.input] else {
                return .refused(
                    "test noise is played by one loudspeaker at a time: name one of \(names.joined(separator: ", "))")
            }
            let usual = ["FC", "M"].first(where: names.contains) ?? names[0]
            let name = change.input ?? usual
            // Test noise from a loudspeaker that this stage lacks is not played.
            let playing = monitoring.noise.flatMap { names.contains($0) ? $0 : nil }
            let isPlaying = playing != nil && (change.input == nil || playing == name)
            let wants = change.value == .word("toggle") ? !isPlaying : change.value == .word("on")
            // A command that names another loudspeaker does not end the noise. A command without a name always ends it.
            if wants { monitoring.noise = name } else if isPlaying || change.input == nil { monitoring.noise = nil }
            tellMonitor()
            return .done
        }
    }

    /// Switches the fold-down of the stage to a layout, or off.
    private func fold(to value: ParameterValue) -> SessionReply {
        let former = monitoring.foldDown
        monitoring.foldDown = value == .word("none") ? nil : value.word
        let reply = tellFold(stage)
        if case .refused = reply { monitoring.foldDown = former }
        return reply
    }

    /// Applies the requested fold-down to a stage. The reply names the inputs that are not folded down, or the reason
    /// for a refusal.
    func tellFold(_ stage: Stage) -> SessionReply {
        let renderer = stage.assembly.renderer
        do throws(SessionError) {
            let target: Layout? =
                if let name = monitoring.foldDown { try stage.settings.layout(named: name) } else { nil }
            let inRoom = stage.assembly.sourcesInRoom
            do throws(FoldDownError) {
                let skipped = try renderer.monitor.fold(to: target) { inRoom.contains($0) }
                guard let target, !skipped.isEmpty else { return .done }
                return .told(FoldDownError.skipping(skipped, target.name))
            } catch {
                return .refused(error.description)
            }
        } catch {
            return .refused(error.description)
        }
    }

    /// Sets a value of the whole section. A refused value changes nothing.
    func setMonitor(
        _ value: ParameterValue, _ set: @Sendable (inout MonitorSettings, ParameterValue) -> String?
    ) -> SessionReply {
        var wanted = monitoring
        if let reason = set(&wanted, value) { return .refused(reason) }
        monitoring = wanted
        tellMonitor()
        return .done
    }

    /// Sets a switch of the named loudspeaker or group, or of all loudspeakers. An earlier value that is restored is
    /// also kept for a loudspeaker that the stage lacks, until a stage has it.
    func setLoudspeaker(
        _ change: ParameterChange, _ set: @Sendable (inout MonitorSettings.Switches, ParameterValue) -> Void
    ) -> SessionReply {
        let meant: [String]
        switch loudspeakers(of: change) {
        case .success(let names): meant = names
        case .failure(let refusal):
            guard Self.isTakingUp, let name = change.input, LoudspeakerGroup(rawValue: name) == nil else {
                return .refused(refusal.reason)
            }
            meant = [name]
        }
        let soloed = monitoring.loudspeakers.filter(\.value.isSolo).map(\.key)
        let value = change.input != nil && meant.count > 1 ? same(change, for: meant) : change.value
        for name in meant { set(&monitoring.loudspeakers[name, default: .init()], value) }
        let begins = meant.contains { !soloed.contains($0) && monitoring.loudspeakers[$0]?.isSolo == true }
        if endsOtherSolos, change.input != nil, begins {
            for other in soloed where !meant.contains(other) { monitoring.loudspeakers[other]?.isSolo = false }
        }
        tellMonitor()
        return .done
    }

    /// Switches of all loudspeakers that were ever set, by address, also of loudspeakers that the heard stage lacks.
    /// Momentary switches are left out.
    var loudspeakerSwitches: SessionValues {
        var all: SessionValues = [:]
        for parameter in Parameter.loudspeakers where !parameter.traits.contains(.isMomentary) {
            guard case .loudspeaker(let read) = parameter.reading else { continue }
            for name in monitoring.loudspeakers.keys {
                all[StateAddress.loudspeaker(name, parameter.loudspeakerWord).text] = read(monitoring, name)
            }
        }
        return all
    }

    /// Returns the value for a group. A toggle becomes `off` if all its loudspeakers are on, otherwise `on`.
    private func same(_ change: ParameterChange, for names: [String]) -> ParameterValue {
        guard change.value == .word("toggle"), case .loudspeaker(let read) = change.parameter.reading else {
            return change.value
        }
        return .isOn(!names.allSatisfy { read(monitoring, $0) == .word("on") })
    }

    /// Sends the section's settings to the heard stage, and silences inputs according to the inputs' solos.
    func tellMonitor() {
        tellMonitor(stage.assembly)
        followSolos()
    }

    /// Sends the section's settings to any stage. Does not change which inputs are silenced.
    func tellMonitor(_ assembly: StageAssembly) {
        let names = Self.loudspeakers(of: assembly)
        let settings = monitoring
        assembly.renderer.monitor.change { settings.apply(to: &$0, of: names) }
        assembly.renderer.monitor.playNoise(from: settings.noise.flatMap { names.firstIndex(of: $0) })
    }

    /// Sends to a stage what holds for every stage: the switches of room and headphones, and the monitor section.
    func tellSwitches(_ assembly: StageAssembly) {
        assembly.renderer.setRoom(on: sound.playsRoom)
        assembly.renderer.headphones.set(on: sound.equalises)
        tellMonitor(assembly)
    }

    /// If `look-away` is set, lowers the binaural output while the listener looks away for longer than the set delay.
    func lookAway() {
        var watch = sound.away
        if monitoring.awayLevel == nil {
            watch = AwayWatch()
        } else {
            let pose = playsLoggedPoses ? stage.assembly.renderer.telemetry()?.headToStage : feed.fresh
            let limits = AwayWatch.Limits(angle: monitoring.awayAngle * .pi / 180, delay: monitoring.awayDelay)
            watch.look(pose.map(AwayWatch.angle), limits, at: environment.clock.now)
        }
        sound.away = watch
        guard watch.isAway != monitoring.isAway else { return }
        monitoring.isAway = watch.isAway
        tellMonitor()
    }

    /// Applies the section's settings, and a comparison in progress, to a newly built stage. Notes a fold-down that
    /// this stage refuses, and keeps it for a later stage.
    func beginMonitor() {
        tellMonitor()
        for remark in suspendRefusedFold(of: stage) { note(remark) }
        if let comparison = monitoring.comparison { _ = compare(.word(comparison.rawValue)) }
    }

    /// Whether a solo that starts now ends the others.
    private var endsOtherSolos: Bool { monitoring.isSoloExclusive && !Self.isTakingUp }

    /// Silences each input that is neither soloed nor solo-safe while another one is soloed. In exclusive mode, first
    /// ends the solos of other inputs if `change`, which was just made, started a solo.
    func followSolos(_ change: ParameterChange? = nil) {
        let inputs = stage.assembly.renderer.programmes
        if let change, change.parameter.id == "solo", endsOtherSolos,
            let name = change.input, inputs.contains(where: { $0.programme.name == name && $0.controls.isSolo })
        {
            for input in inputs where input.programme.name != name && input.controls.isSolo {
                input.change { $0.isSolo = false }
            }
        }
        let hasSolo = inputs.contains { $0.controls.isSolo }
        for input in inputs {
            let isSilenced = hasSolo && !input.controls.isSolo && !input.controls.isSoloSafe
            guard input.controls.isSilenced != isSilenced else { continue }
            input.change { $0.isSilenced = isSilenced }
        }
    }

    /// Ends all solos, or only those of inputs, or only those of loudspeakers.
    private func clearSolos(_ value: ParameterValue) -> SessionReply {
        if value != .word("inputs") {
            for name in monitoring.loudspeakers.keys { monitoring.loudspeakers[name]?.isSolo = false }
        }
        if value != .word("loudspeakers") {
            for input in stage.assembly.renderer.programmes where input.controls.isSolo {
                input.change { $0.isSolo = false }
            }
        }
        tellMonitor()
        return .done
    }
}
