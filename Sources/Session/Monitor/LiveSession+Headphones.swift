import AudioIO
import Desk
import Loading
import Racks
import Rendering
import Stages
import Synchronization

/// Change of the headphones' equalisation in a running session: another file, on or off.
extension LiveSession {
    /// Switches the headphones' equalisation on or off, at equal loudness.
    func setHeadphones(_ value: ParameterValue) -> SessionReply {
        // One scene may have an equalisation and another none. The switch applies to all scenes.
        guard stages.contains(where: { $0.assembly.headphones != nil }) else {
            return .refused("no headphone equalisation is loaded; 'ctl headphone-eq-file FILE' has one")
        }
        Parameter.flip(&sound.equalises, value)
        for stage in stages { stage.assembly.renderer.headphones.set(on: sound.equalises) }
        return .done
    }

    /// Changes the equalisation of the heard stage without a new stage. Returns nil, with nothing done, if the settings
    /// differ in more than the equalisation.
    func takeHeadphones(of wanted: StageSettings) async -> SessionReply? {
        var same = stage.settings.choices
        same.headphones = wanted.choices.headphones
        guard same == wanted.choices else { return nil }
        if let reason = whyNoOtherStage { return .refused(reason) }
        let (renderer, rate) = (stage.assembly.renderer, stage.client.sampleRate)
        let loaded = Mutex<HeadphonesInUse?>(nil)
        let refusal = await Self.besides { () throws(SessionError) in
            let found = try HeadphonesInUse(
                wanted.choices.headphones, sampleRate: rate, by: wanted.reader)
            loaded.withLock { $0 = found }
        }
        if let refusal { return .refused("\(refusal); the former stage continues to play") }
        guard renderer === stage.assembly.renderer, outage == nil, !life.hasEnded else {
            return .refused("the JACK server restarted or changed its rate meanwhile; ask again")
        }
        let found = loaded.withLock { $0 }
        renderer.headphones.publish(found?.filter)
        stage.assembly.headphones = found
        stage.settings.choices.headphones = wanted.choices.headphones
        settings.stage = stage.settings
        // A newly loaded equalisation is switched on.
        if found != nil, !sound.equalises { _ = setHeadphones(.word("on")) }
        takeUpAppeared()
        for remark in found?.remarks(processing: stage.assembly.equalisation(of: settings.stage)) ?? [] {
            note("headphones: " + remark)
        }
        tellOfTwoEqualisers()
        return .done
    }

    /// Sends a note if the headphones are equalised and the plugins on the output include an equaliser too.
    func tellOfTwoEqualisers() {
        if let remark = stage.assembly.twoEqualisers { note(remark) }
    }
}
