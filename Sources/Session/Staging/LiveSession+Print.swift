import AudioIO
import Desk
import Loading
import Racks
import Rendering
import Soundstage
import Stages
import Synchronization

/// The print bus: a second rendering (a print) of each stage, to be recorded or sent. The head is fixed and faces
/// front. There are no plugins on the output, no headphone equalisation and no output limiter.
///
/// The output equals that of `render --limiter off`. Solos, the monitor section and comparisons do not affect it.
extension LiveSession {
    /// Switches the bus on or off; returns when that is done.
    func setPrint(_ wants: Bool) async -> SessionReply {
        if !wants { staging.printReturns = false }
        guard wants != staging.wantsPrint else { return .done }
        if let reason = whyNoOtherStage { return .refused(reason) }
        guard wants else {
            endPrint()
            do throws(SessionError) { try play() } catch { return .refused(error.description) }
            return .done
        }
        let client = stage.client
        var prints: [(scene: Int, print: StageAssembly)] = []
        for scene in [staging.scene] + staging.others.keys.sorted() {
            guard let printed = scene == staging.scene ? stage : staging.others[scene] else { continue }
            switch await buildPrint(of: printed) {
            case .failure(let error): return .refused(error.description)
            case .success(let print):
                prints.append((scene, print))
            }
        }
        if let reason = whyNoOtherStage { return .refused(reason) }
        guard client === stage.client else {
            return .refused("the JACK server restarted or changed its rate meanwhile; ask again")
        }
        // Either all stages get a print, or none.
        for (scene, print) in prints {
            if scene == staging.scene { stage.print = print } else { staging.others[scene]?.print = print }
        }
        (staging.wantsPrint, staging.printReturns) = (true, false)
        mirrorPrint()
        do throws(SessionError) { try play() } catch {
            endPrint()
            return .refused(error.description)
        }
        return .done
    }

    private func endPrint() {
        staging.wantsPrint = false
        stage.print = nil
        for scene in staging.others.keys { staging.others[scene]?.print = nil }
    }

    /// Returns the print of a stage, built on a thread of its own.
    func buildPrint(of printed: Stage) async -> Result<StageAssembly, SessionError> {
        let chains = await Self.memory(of: printed.assembly.plugins)
        let (wanted, requests) = (printed.settings, chains.requests)
        let (client, layout, environment) = (printed.client, printed.layout, self.environment)
        let made = Mutex<StageAssembly?>(nil)
        let refusal = await Self.besides { () throws(SessionError) in
            let assembly = try Self.printing(wanted, requests, layout, for: client, in: environment)
            made.withLock { $0 = assembly }
        }
        if let refusal { return .failure(SessionError(.usage, refusal)) }
        return made.withLock { $0 }.map { .success($0) }
            ?? .failure(SessionError(.environment, "no print bus was built"))
    }

    /// Returns a stage with the head facing front, without output limiter, headphone equalisation and output plugins.
    static func printing(
        _ settings: StageSettings, _ chains: [PluginRequest], _ layout: Layout, for client: any StageDriver,
        in environment: SessionEnvironment
    ) throws(SessionError) -> StageAssembly {
        var plain = settings
        plain.choices.limiter = .off
        plain.choices.headphones = HeadphoneSettings()
        plain.plugins = chains.filter { $0.place != PluginPlace.ears }
        plain.isForgiving = true
        plain = try plain.standing(in: layout)
        return try StageAssembly(
            plain, layout: layout, set: try environment.fields(plain, client.sampleRate) { _ in },
            poses: .front, period: client.periodFrames)
    }

    /// Applies the controls of all stages' inputs, and the switch of the room, to the stages' prints.
    func mirrorPrint() {
        for printed in [stage] + unheard { mirrorPrint(of: printed) }
    }

    /// Applies the controls of a stage's inputs, and the switch of the room, to the stage's print.
    func mirrorPrint(of printed: Stage) {
        guard let print = printed.print else { return }
        print.renderer.setRoom(on: sound.playsRoom)
        for input in print.renderer.programmes {
            guard let heard = printed.input(input.programme.name) else { continue }
            var wanted = heard.controls
            // These controls are listed by name: only the solo has a row in the table of parameters, so a trait of the
            // rows cannot express the exception.
            (wanted.isSolo, wanted.isSilenced, wanted.gainPastStage) = (false, false, 1)
            // The mode before a comparison may be `off` in another scene. A sound field cannot be switched to `off`.
            if let mode = monitoring.modes[input.programme.name], mode != .off || input.programme.field == nil {
                wanted.mode = mode
            }
            let own = input.controls
            if !wanted.asksTheSame(as: own) || wanted.renditions.match != own.renditions.match {
                input.change { $0 = wanted }
            }
        }
    }

    /// Carries out a plugin command on the print of the heard stage, except for plugins on the output.
    func mirrorPlugins(_ command: PluginCommand) async {
        guard let print = stage.print?.plugins else { return }
        let (heard, period) = (stage.assembly.plugins, stage.client.periodFrames)
        switch command {
        case .list, .known, .describe, .about, .save: return
        case .set, .bypass, .preset, .midi:
            // The print has no plugins on the output, so that a command for such a plugin is refused. All refusals are
            // ignored here.
            _ = await Self.besides { () throws(SessionError) in try print.perform(command, period: period) }
        case .add, .remove, .move, .replace, .restart, .load: await followChains(of: heard, by: print)
        }
    }

    /// Replaces the plugin chains of the print by those of the heard stage, except the chain on the output.
    func followChains(of heard: PluginRack, by print: PluginRack) async {
        let (chains, period) = (await Self.memory(of: heard), stage.client.periodFrames)
        let requests = chains.requests.filter { $0.place != PluginPlace.ears }
        let reason = await Self.besides { () throws(SessionError) in
            try print.replaceAll(by: requests, period: period, isForgiving: true)
        }
        if let reason { note("the print bus keeps its former plugins: \(reason)") }
    }
}
