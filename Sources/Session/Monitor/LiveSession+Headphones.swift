import AudioIO
import Desk
import Loading
import Racks
import Rendering
import Stages
import Synchronization

/// The headphones' equalisation while a session runs: another file, and with or without it.
extension LiveSession {
    /// Has the headphones' equalisation heard or, as loud, the sound without it.
    func setHeadphones(_ value: ParameterValue) -> SessionReply {
        // One scene may have one and another none: the switch is of both.
        guard stages.contains(where: { $0.assembly.headphones != nil }) else {
            return .refused("no headphone equalisation is loaded; 'ctl headphone-eq-file FILE' has one")
        }
        Parameter.flip(&sound.equalises, value)
        for stage in stages { stage.assembly.renderer.headphones.set(on: sound.equalises) }
        return .done
    }

    /// Plays the stage that is heard with another equalisation, where nothing else of it is to be another: nothing is
    /// built anew. nil: something else is.
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
        if let refusal { return .refused("\(refusal); what played plays on") }
        guard renderer === stage.assembly.renderer, outage == nil, !life.hasEnded else {
            return .refused("the server changed meanwhile; ask again")
        }
        let found = loaded.withLock { $0 }
        renderer.headphones.publish(found?.filter)
        stage.assembly.headphones = found
        stage.settings.choices.headphones = wanted.choices.headphones
        settings.stage = stage.settings
        // One that comes is to be heard.
        if found != nil, !sound.equalises { _ = setHeadphones(.word("on")) }
        for remark in found?.remarks(processing: settings.stage.equalisation) ?? [] {
            note("headphones: " + remark)
        }
        tellOfTwoEqualisers()
        return .done
    }

    /// Tells where an equaliser among the ears' plugins works on what the headphones' has equalised.
    func tellOfTwoEqualisers() {
        if let remark = stage.assembly.twoEqualisers { note(remark) }
    }
}
