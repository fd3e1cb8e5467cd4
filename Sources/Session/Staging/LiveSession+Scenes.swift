import AudioIO
import Desk
import Loading
import Soundstage
import Stages

/// Up to four scenes to compare. Each is a stage with its own layout, HRTF set, room and chains. All play, and one is
/// heard.
extension LiveSession {
    /// Performs an action on the stages.
    func perform(_ act: Parameter.StagingAct, _ value: ParameterValue) async -> SessionReply {
        // A switch between existing scenes may interrupt a fade; the other actions wait for its end.
        if [.clearScene, .print, .trial].contains(act) { await fadeIsOver() }
        return switch act {
        case .scene: await hearScene(value.word)
        case .clearScene: clearScene(value.word)
        case .print: await setPrint(value == .word("toggle") ? !staging.facts.hasPrint : value == .word("on"))
        case .trial: await setTrial(value.word)
        case .listen: await listen(value.word)
        case .answer: await answer(value.word)
        }
    }

    /// Switches to a scene. A new scene starts as a copy of the heard one.
    private func hearScene(_ name: String) async -> SessionReply {
        guard staging.trial == nil else {
            return .refused(CommandExecution.Condition.noBlindComparison.refusal)
        }
        return await hear(scene: Staging.names.firstIndex(of: name) ?? staging.scene)
    }

    private func hear(scene: Int) async -> SessionReply {
        if scene == staging.scene { return .done }
        if staging.others[scene] == nil { await fadeIsOver() }
        if let former = staging.lost[scene] {
            if let reason = whyNoOtherStage { return .refused(reason) }
            if let error = await revive(scene, former) {
                return .refused("scene \(Staging.names[scene]) cannot be prepared anew: \(error.description)")
            }
        }
        if let reason = whyNoOtherStage {
            // A fade in progress is cut short if the wanted scene exists.
            guard staging.transition?.isFading == true, staging.others[scene] != nil, outage == nil else {
                return .refused(reason)
            }
            endTransition(.done)
        }
        guard let kept = staging.others[scene] else {
            return await take(stage.settings, scene: scene, keepsFormer: true)
        }
        return await take(kept, scene: scene, keepsFormer: true)
    }

    /// Removes a scene that is not heard.
    private func clearScene(_ name: String) -> SessionReply {
        guard staging.trial == nil else {
            return .refused(CommandExecution.Condition.noBlindComparison.refusal)
        }
        guard let scene = Staging.names.firstIndex(of: name), staging.kept[scene] != nil else {
            return .refused(
                name == staging.name
                    ? "scene \(name) is the one that is heard"
                    : "there is no scene \(name); there are \(staging.filled.joined(separator: ", "))")
        }
        if let reason = whyNoOtherStage { return .refused(reason) }
        (staging.others[scene], staging.lost[scene]) = (nil, nil)
        // The poses must not go to a removed stage.
        enterPoses()
        do throws(SessionError) { try play() } catch { return .refused(error.description) }
        undo.history.forget(scene: scene)
        return .done
    }

    // MARK: Blind

    /// Starts or ends a blind comparison of two scenes.
    private func setTrial(_ word: String) async -> SessionReply {
        guard word != "off" else {
            return endTrial().map { .told($0) } ?? .done
        }
        guard staging.trial == nil else { return .refused("a blind comparison is under way; 'abx off' ends it") }
        // A switch to another scene begins new logs, which describe that scene.
        guard !takes.hasLogs else {
            return .refused(
                "the logs of --record-poses and --record-motion would tell which scene is heard; "
                    + "compare in a session without them")
        }
        let scenes = word.compactMap { Staging.names.firstIndex(of: String($0)) }
        let missing = scenes.first { $0 != staging.scene && staging.others[$0] == nil }
        guard scenes.count == 2, missing == nil else {
            return .refused(
                "there is no scene \(missing.map { Staging.names[$0] } ?? word); there are \(staging.filled.joined(separator: ", "))"
            )
        }
        let shown = valuesInForce()
        var generator = SystemRandomNumberGenerator()
        let trial = BlindTrial((scenes[0], scenes[1]), using: &generator)
        let reply = await hear(scene: scenes[0])
        guard case .done = reply else { return reply }
        (staging.trial, staging.shown, staging.result) = (trial, shown, nil)
        return .done
    }

    /// Ends the comparison. Returns its result in a sentence, and notes it; nil without a comparison.
    @discardableResult
    func endTrial() -> String? {
        guard let trial = staging.trial else { return nil }
        let told = "blind comparison of \(staging.trialWord): \(trial.result)"
        note(told)
        (staging.trial, staging.result) = (nil, trial.result)
        // The meters, hidden until now, have measured both scenes.
        sound.monitor?.reset()
        return told
    }

    /// Switches to A, B or X.
    private func listen(_ word: String) async -> SessionReply {
        guard let trial = staging.trial, let sound = BlindTrial.Sound(rawValue: word) else {
            return .refused("no scenes are being compared blind; 'abx ab' begins")
        }
        let reply = await hear(scene: trial.scene(of: sound))
        guard case .done = reply else { return reply }
        staging.trial?.sound = sound
        return .done
    }

    /// Records an answer. If X was selected, switches to the next X.
    private func answer(_ word: String) async -> SessionReply {
        guard var trial = staging.trial else {
            return .refused("no scenes are being compared blind; 'abx ab' begins")
        }
        var generator = SystemRandomNumberGenerator()
        trial.answer(isFirst: word == "a", using: &generator)
        if trial.sound == .x {
            // An answer counts only if the next X is heard.
            let reply = await hear(scene: trial.scene(of: .x))
            guard case .done = reply, staging.trial != nil else { return reply }
        }
        staging.trial = trial
        return .done
    }

    /// Returns whether the value at an address may identify the heard scene. Such values are frozen during a blind
    /// comparison. Values of inputs are compared in `blinded`.
    static func tellsTheScene(_ address: String) -> Bool {
        switch StateAddress(address) {
        case .bypass, .control, .loudspeaker: true
        case .session(let name):
            FrozenFact(rawValue: name) != nil || Parameter.named(name).map { tellsTheScene($0) } ?? false
        case .input, .modeBefore, .fact: false
        }
    }

    /// Returns whether a parameter of the session belongs to a scene, by the source of its value.
    private static func tellsTheScene(_ parameter: Parameter) -> Bool {
        switch parameter.reading {
        case .stage, .loudspeaker: true
        case .staging: parameter.id == "scene"
        // `blinded` shows the switches of room and headphones for both scenes alike. The others hold for all scenes.
        case .room, .headphones, .controls, .dynamics, .tracking, .monitor: false
        }
    }

    /// Returns whether a command changes virtual loudspeakers, of which one of two scenes may lack some.
    func changesLoudspeakers(_ command: SessionCommand) -> Bool {
        guard case .set(let change) = command else { return false }
        guard change.parameter.id == "solo-clear" else { return change.parameter.isOfLoudspeakers }
        return change.value != .word("inputs") && monitoring.loudspeakers.values.contains { $0.isSolo }
    }

    /// The stages whose properties decide what control interfaces are shown: the heard one, or during a blind
    /// comparison the two compared ones, whichever of them is heard.
    var shownStages: [Stage] {
        guard let pair = staging.trial?.pair else { return [stage] }
        return [pair.a, pair.b].compactMap { scene -> Stage? in
            scene == staging.scene ? stage : staging.others[scene] ?? staging.lost[scene]
        }
    }

    /// During a blind comparison, freezes the values that may identify the scene. Otherwise returns the values
    /// unchanged.
    func blinded(_ values: [String: ParameterValue]) -> [String: ParameterValue] {
        guard staging.trial != nil else { return values }
        let compared = shownStages.map { inputValues(of: $0) }
        // An input's value identifies the scene if the other scene has another value, or none.
        var shown = values.filter { address, value in
            guard case .input = StateAddress(address) else { return !Self.tellsTheScene(address) }
            return compared.allSatisfy { $0[address] == value }
        }
        let frozen = staging.shown.filter { address, _ in
            Self.tellsTheScene(address) || compared.contains { $0[address] != nil }
        }
        shown.merge(frozen) { now, _ in now }
        // Perhaps only one of the scenes has a room or an equalisation. The switch is shown for both scenes alike.
        shown["room"] = stages.contains { $0.assembly.room != nil } ? .isOn(sound.playsRoom) : nil
        shown["headphone-eq"] = stages.contains { $0.assembly.headphones != nil } ? .isOn(sound.equalises) : nil
        return shown
    }

    /// Hides from the status all that differs between the two scenes of a blind comparison.
    func blind(_ status: inout SessionStatus) {
        (status.scene, status.layout, status.hrtf) = (nil, "blind", "blind")
        if let scenes = staging.shown[FrozenFact.scenes.rawValue] { status.scenes = scenes.word.map { String($0) } }
        (status.room, status.headphones, status.plugins) = (nil, nil, [])
        (status.monitor.silent, status.monitor.inverted, status.monitor.noise) = ([], [], monitoring.noise)
        (status.latencyFrames, status.slice, status.playback.unconnectedInputs) = (0, 0, nil)
        // Levels, names of the metered inputs, counts since a scene began, and the time that rendering takes are
        // hidden.
        (status.inputPeaks, status.outputPeaks, status.loudness, status.gainReduction) = ([], [], nil, 0)
        (status.streamFrame, status.heardAt) = (0, 0)
        (status.load, status.loadMean, status.loadMaximum) = (0, nil, nil)
        (status.clipped, status.nonFiniteSamples) = (false, 0)
        // A sound field is the last of its stage's inputs, loudspeakers are the first.
        status.programmes.sort { $0.name < $1.name }
        for index in status.programmes.indices {
            (status.programmes[index].layout, status.programmes[index].mode) = ("blind", "blind")
            (status.programmes[index].width, status.programmes[index].dynamicsGain) = (0, 0)
            (status.programmes[index].isSpatializing, status.programmes[index].isMultichannelUnused) = (true, false)
            (status.programmes[index].renditions, status.programmes[index].talkers) = (nil, nil)
            status.programmes[index].heardScale = nil
        }
    }
}
