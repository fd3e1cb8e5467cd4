import Rendering
import Soundstage
import Stages

/// Stages that are not heard follow all that is asked of the one that is, so that whichever is turned to is as it
/// should be.
extension LiveSession {
    /// After a command, and every 50 ms: what changed of inputs, room and monitor section.
    func mirrorAll() {
        for other in unheard { _ = mirror(to: other) }
        if let next = staging.transition?.next, !(staging.transition?.isFading ?? true) { _ = mirror(to: next) }
        mirrorPrint()
    }

    /// Brings another stage to what is asked of the one that is heard; returns what cannot be done there, a sentence
    /// each, where `everything` is asked for.
    func mirror(to other: Stage, everything: Bool = false) -> [String] {
        var remarks: [String] = []
        for input in other.assembly.renderer.programmes {
            guard let heard = stage.input(input.programme.name) else { continue }
            let (now, was) = (heard.controls, input.controls)
            let taken = Self.controls(now, for: input, having: was, on: other, &remarks)
            if everything || !taken.asksTheSame(as: was) { input.change { $0 = taken } }
        }
        other.assembly.renderer.setRoom(on: sound.playsRoom)
        other.assembly.renderer.headphones.set(on: sound.equalises)
        tellMonitor(other.assembly)
        if let reason = tellFold(other), everything, let fold = monitoring.foldDown {
            remarks.append("'fold-down \(fold)' is not done here: \(reason)")
        }
        return everything ? remarks : []
    }

    /// What another stage's input is asked for: all that is asked of the heard one, as far as it can do it.
    private static func controls(
        _ wanted: ProgrammeControls, for input: ProgrammeRenderer, having own: ProgrammeControls, on stage: Stage,
        _ remarks: inout [String]
    ) -> ProgrammeControls {
        var taken = wanted
        // What was measured belongs to each stage, and what only one of them can.
        taken.renditions = own.renditions
        if input.programme.hasStereoRendition && input.programme.hasMultichannelRendition {
            taken.renditions.choice = wanted.renditions.choice
        }
        if input.programme.upmix == nil { taken.upmix = own.upmix }
        if input.programme.mix == nil { taken.mix = own.mix }
        if wanted.gainPastStage == 1 {
            taken.gainPastStage = 1
        } else if own.gainPastStage == 1 {
            // How loud each set is makes how loud what goes past it is compared.
            taken.gainPastStage = stage.assembly.gainPastStage(input.programme)
        } else {
            taken.gainPastStage = own.gainPastStage
        }
        let circumstances = ProgrammeRefusal(
            programme: input.programme, field: input === stage.assembly.renderer.soundField ? stage.layout : nil,
            isMeasured: stage.assembly.isMeasured(input.programme.name))
        for parameter in [Parameter.named("mode"), Parameter.named("source-width")].compactMap(\.self) {
            guard case .controls(let read) = parameter.reading,
                let reason = parameter.refusal(circumstances, read(wanted)), read(wanted) != read(own)
            else { continue }
            remarks.append("\(input.programme.name): '\(parameter.id)' is not done here: \(reason)")
            if parameter.id == "mode" { taken.mode = own.mode } else { taken.width = own.width }
        }
        return taken
    }
}
