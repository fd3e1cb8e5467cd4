import AudioIO
import Desk
import Loading
import Soundstage
import Stages

/// Up to four scenes to compare: each a stage with its layout, set, room and chains, all playing, one of them heard.
extension LiveSession {
    /// Does something with stages that takes more than a parameter's value.
    func perform(_ act: Parameter.StagingAct, _ value: ParameterValue) async -> SessionReply {
        // Between scenes that are there one turns at once; all else is done when nothing fades.
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

    /// Has a scene heard; one that is not there yet begins as what is heard now.
    private func hearScene(_ name: String) async -> SessionReply {
        guard staging.trial == nil else {
            return .refused("two scenes are being compared blind; 'abx off' ends that")
        }
        return await hear(scene: Staging.names.firstIndex(of: name) ?? staging.scene)
    }

    private func hear(scene: Int) async -> SessionReply {
        if scene == staging.scene { return .done }
        if staging.others[scene] == nil { await fadeIsOver() }
        if staging.lost[scene] != nil { return .refused("the scene is being prepared anew; ask again") }
        if let reason = whyNoOtherStage {
            // A fade between two scenes that are there is soon over.
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

    /// Lets go of a scene that is not heard.
    private func clearScene(_ name: String) -> SessionReply {
        guard staging.trial == nil else {
            return .refused("two scenes are being compared blind; 'abx off' ends that")
        }
        guard let scene = Staging.names.firstIndex(of: name), staging.others[scene] != nil else {
            return .refused(
                name == staging.name
                    ? "scene \(name) is the one that is heard"
                    : "there is no scene \(name); there are \(staging.filled.joined(separator: ", "))")
        }
        if let reason = whyNoOtherStage { return .refused(reason) }
        staging.others[scene] = nil
        // Before it is gone it may not be given poses any more.
        enterPoses()
        do throws(SessionError) { try play() } catch { return .refused(error.description) }
        undo.history.forget(scene: scene)
        return .done
    }

    // MARK: Blind

    /// Begins to compare two scenes blind, or ends that.
    private func setTrial(_ word: String) async -> SessionReply {
        guard word != "off" else {
            return endTrial().map { .told($0) } ?? .done
        }
        guard staging.trial == nil else { return .refused("a blind comparison is under way; 'abx off' ends it") }
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
        let reply = await hear(scene: scenes[0])
        guard case .done = reply else { return reply }
        (staging.trial, staging.shown, staging.result) = (trial, shown, nil)
        return .done
    }

    /// Ends the comparison, and tells how it went; nil where there was none.
    @discardableResult
    func endTrial() -> String? {
        guard let trial = staging.trial else { return nil }
        let told = "blind comparison of \(staging.trialWord): \(trial.result)"
        note(told)
        (staging.trial, staging.result) = (nil, trial.result)
        return told
    }

    /// Has A, B or X heard.
    private func listen(_ word: String) async -> SessionReply {
        guard let trial = staging.trial, let sound = BlindTrial.Sound(rawValue: word) else {
            return .refused("no scenes are being compared blind; 'abx ab' begins")
        }
        let reply = await hear(scene: trial.scene(of: sound))
        guard case .done = reply else { return reply }
        staging.trial?.sound = sound
        return .done
    }

    /// Takes an answer; the next X is heard where this one was.
    private func answer(_ word: String) async -> SessionReply {
        guard staging.trial != nil else { return .refused("no scenes are being compared blind; 'abx ab' begins") }
        var generator = SystemRandomNumberGenerator()
        staging.trial?.answer(isFirst: word == "a", using: &generator)
        guard let trial = staging.trial, trial.sound == .x else { return .done }
        return await hear(scene: trial.scene(of: .x))
    }

    /// Whether what stands at an address may tell which scene is heard: during a blind comparison it stays as it was.
    static func tellsTheScene(_ address: String) -> Bool {
        ["hrtf-name", "latency", "scene"].contains(address) || address.hasPrefix("plugin/")
            || address.hasPrefix("loudspeaker/") || Parameter.named(address)?.rebuildsStage == true
    }

    /// The same values with what may tell the scene as it was before, during a blind comparison.
    func blinded(_ values: [String: ParameterValue]) -> [String: ParameterValue] {
        guard staging.trial != nil else { return values }
        var shown = values.filter { !Self.tellsTheScene($0.key) }.merging(staging.shown) { $1 }
        // One of the two may have no room: the switch is there for both.
        shown["room"] = stages.contains { $0.assembly.room != nil } ? .isOn(sound.playsRoom) : nil
        shown["headphone-eq"] = stages.contains { $0.assembly.headphones != nil } ? .isOn(sound.equalises) : nil
        return shown
    }
}
