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
            return .refused("two scenes are being compared blind; 'abx off' ends that")
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
            return .refused("two scenes are being compared blind; 'abx off' ends that")
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
        let shown = valuesInForce().filter { Self.tellsTheScene($0.key) }
        var generator = SystemRandomNumberGenerator()
        let trial = BlindTrial((scenes[0], scenes[1]), using: &generator)
        let reply = await hearBlind(scenes[0])
        guard case .done = reply else { return reply }
        (staging.trial, staging.shown, staging.result) = (trial, shown, nil)
        return .done
    }

    /// Switches to a scene of a blind comparison. The loudness meters are reset, even if that scene is heard already:
    /// their readings must not show whether the scene changes.
    private func hearBlind(_ scene: Int) async -> SessionReply {
        let reply = await hear(scene: scene)
        if case .done = reply { sound.monitor?.reset() }
        return reply
    }

    /// Ends the comparison. Returns its result in a sentence, and notes it; nil without a comparison.
    @discardableResult
    func endTrial() -> String? {
        guard let trial = staging.trial else { return nil }
        let told = "blind comparison of \(staging.trialWord): \(trial.result)"
        note(told)
        (staging.trial, staging.result) = (nil, trial.result)
        return told
    }

    /// Switches to A, B or X.
    private func listen(_ word: String) async -> SessionReply {
        guard let trial = staging.trial, let sound = BlindTrial.Sound(rawValue: word) else {
            return .refused("no scenes are being compared blind; 'abx ab' begins")
        }
        let reply = await hearBlind(trial.scene(of: sound))
        guard case .done = reply else { return reply }
        staging.trial?.sound = sound
        return .done
    }

    /// Records an answer. If X is heard, switches to the next X.
    private func answer(_ word: String) async -> SessionReply {
        guard var trial = staging.trial else {
            return .refused("no scenes are being compared blind; 'abx ab' begins")
        }
        var generator = SystemRandomNumberGenerator()
        trial.answer(isFirst: word == "a", using: &generator)
        if trial.sound == .x {
            // An answer counts only if the next X is heard.
            let reply = await hearBlind(trial.scene(of: .x))
            guard case .done = reply, staging.trial != nil else { return reply }
        }
        staging.trial = trial
        return .done
    }

    /// Returns whether the value at an address may identify the heard scene. Such values are frozen during a blind
    /// comparison.
    static func tellsTheScene(_ address: String) -> Bool {
        switch StateAddress(address) {
        case .bypass, .control, .loudspeaker: true
        case .session(let name):
            ["hrtf-name", "latency", "scene"].contains(name) || Parameter.named(name)?.rebuildsStage == true
        case .input, .fact: false
        }
    }

    /// Returns the values. During a blind comparison, values that may identify the scene are replaced by those from its
    /// beginning.
    func blinded(_ values: [String: ParameterValue]) -> [String: ParameterValue] {
        guard staging.trial != nil else { return values }
        var shown = values.filter { !Self.tellsTheScene($0.key) }.merging(staging.shown) { $1 }
        // If only one of the scenes has a room or an equalisation, its switch is shown for both scenes.
        shown["room"] = stages.contains { $0.assembly.room != nil } ? .isOn(sound.playsRoom) : nil
        shown["headphone-eq"] = stages.contains { $0.assembly.headphones != nil } ? .isOn(sound.equalises) : nil
        return shown
    }
}
