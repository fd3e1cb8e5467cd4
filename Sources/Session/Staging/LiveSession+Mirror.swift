import Desk
import Rendering
import Soundstage
import Stages

/// Unheard stages follow the settings of the heard one, so that a switch between them needs no further change.
extension LiveSession {
    /// Copies changes of inputs, room and monitor section to the other stages. Runs after a command, and every 50 ms.
    func mirrorAll() {
        for other in unheard { _ = mirror(to: other) }
        if let next = staging.transition?.next, !(staging.transition?.isFading ?? true) {
            _ = mirror(to: next)
            mirrorPrint(of: next)
        }
        mirrorPrint()
    }

    /// Applies the heard stage's settings to another stage. With `everything` it applies unchanged ones too, and
    /// returns a sentence for each setting that the stage refuses.
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
        return (everything ? remarks : []) + suspendRefusedFold(of: other)
    }

    /// Applies the fold-down to a stage. If the stage refuses the fold-down, ends an earlier one of that stage, and
    /// returns a remark.
    func suspendRefusedFold(of stage: Stage) -> [String] {
        guard case .refused(let reason) = tellFold(stage) else { return [] }
        stage.assembly.renderer.monitor.unfold()
        return ["'fold-down \(monitoring.foldDown ?? "none")' is not done here: \(reason)"]
    }

    /// Returns the controls for another stage's input: those of the heard input, as far as the other input supports
    /// them.
    private static func controls(
        _ wanted: ProgrammeControls, for input: ProgrammeRenderer, having own: ProgrammeControls, on stage: Stage,
        _ remarks: inout [String]
    ) -> ProgrammeControls {
        var taken = wanted
        // Measured values, upmix and mix belong to each stage.
        taken.renditions = own.renditions
        if input.programme.hasStereoRendition && input.programme.hasMultichannelRendition {
            taken.renditions.choice = wanted.renditions.choice
        }
        if input.programme.upmix == nil { taken.upmix = own.upmix }
        if input.programme.mix == nil { taken.mix = own.mix }
        if wanted.gainPastStage == 1 {
            taken.gainPastStage = 1
        } else if own.gainPastStage == 1 {
            // The gain past the stage depends on the loudness of the stage's HRTF set.
            taken.gainPastStage = stage.assembly.gainPastStage(input.programme)
        } else {
            taken.gainPastStage = own.gainPastStage
        }
        let circumstances = ProgrammeRefusal(
            programme: input.programme,
            isMeasured: stage.assembly.isMeasured(input.programme.name))
        // If the other input has no upmix or no mix, its own values were taken above, so that these rows are equal.
        for parameter in Parameter.all {
            guard case .controls(let read) = parameter.reading, case .controls(let set) = parameter.effect,
                let reason = parameter.refusal(circumstances, read(taken)), read(taken) != read(own)
            else { continue }
            remarks.append("\(input.programme.name): '\(parameter.id)' is not done here: \(reason)")
            set(&taken, read(own), input.programme)
        }
        return taken
    }
}
