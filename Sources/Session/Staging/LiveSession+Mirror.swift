import Desk
import Rendering
import Soundstage
import Stages

/// Unheard stages follow the settings of the heard one, so that a switch between them needs no further change.
extension LiveSession {
    /// Copies changes of inputs, room and monitor section to the other stages. Runs after a command, and every 50 ms.
    ///
    /// - Parameter change: change that a command has made; nil in `tick`.
    func mirrorAll(after change: ParameterChange? = nil) {
        for other in unheard { _ = mirror(to: other, after: change) }
        if let next = staging.transition?.next, !(staging.transition?.isFading ?? true) {
            _ = mirror(to: next, after: change)
            mirrorPrint(of: next)
        }
        mirrorPrint()
    }

    /// Applies the heard stage's settings to another stage. Returns a sentence for each setting that the stage refuses;
    /// without `everything`, only for a refused fold-down.
    func mirror(to other: Stage, everything: Bool = false, after change: ParameterChange? = nil) -> [String] {
        var remarks: [String] = []
        for input in other.assembly.renderer.programmes {
            guard let heard = stage.input(input.programme.name) else { continue }
            let was = input.controls
            let taken = controls(of: heard, for: input, having: was, on: other, after: change, &remarks)
            if everything || !taken.asksTheSame(as: was) { input.change { $0 = taken } }
        }
        tellSwitches(other.assembly)
        return (everything ? remarks : []) + suspendRefusedFold(of: other)
    }

    /// Applies the fold-down to a stage. If the stage refuses the fold-down, ends an earlier one of that stage, and
    /// returns a remark.
    func suspendRefusedFold(of stage: Stage) -> [String] {
        guard case .refused(let reason) = tellFold(stage) else { return [] }
        stage.assembly.renderer.monitor.unfold()
        return ["'fold-down \(monitoring.foldDown ?? "none")' cannot be applied here: \(reason)"]
    }

    /// Returns the controls for another stage's input: those of the heard input, as far as the other supports them. If
    /// the heard input would refuse the other's own value of a parameter, that value is kept until a command sets the
    /// parameter.
    private func controls(
        of heard: ProgrammeRenderer, for input: ProgrammeRenderer, having own: ProgrammeControls, on stage: Stage,
        after change: ParameterChange?, _ remarks: inout [String]
    ) -> ProgrammeControls {
        let wanted = heard.controls
        var taken = wanted
        // Each stage has its own measured values, and its own upmix and mix if one of the two inputs lacks them. The
        // renditions, the upmix, the mix and the gain past the stage are listed by name, because each has a condition
        // of its own, and because the match of renditions and the gain past the stage are no parameters.
        taken.renditions = own.renditions
        if input.programme.hasStereoRendition && input.programme.hasMultichannelRendition {
            taken.renditions.choice = wanted.renditions.choice
        }
        if input.programme.upmix == nil || heard.programme.upmix == nil { taken.upmix = own.upmix }
        if input.programme.mix == nil || heard.programme.mix == nil { taken.mix = own.mix }
        if monitoring.comparison != nil, heard.programme.field != nil {
            // A sound field has no gain past the stage.
            taken.gainPastStage = own.gainPastStage
        } else if wanted.gainPastStage == 1 {
            taken.gainPastStage = 1
        } else if own.gainPastStage == 1 {
            // The gain past the stage depends on the loudness of the stage's HRTF set.
            taken.gainPastStage = stage.assembly.gainPastStage(input.programme)
        } else {
            taken.gainPastStage = own.gainPastStage
        }
        let here = self.stage.circumstances(of: heard)
        let there = stage.circumstances(of: input)
        // The parameters of upmix and mix have been set above.
        for parameter in Parameter.all {
            guard case .controls(let read) = parameter.reading, case .controls(let set) = parameter.effect,
                read(taken) != read(own)
            else { continue }
            if !Self.sets(change, parameter, of: here), parameter.refusal(here, read(own)) != nil {
                set(&taken, read(own), input.programme)
            } else if let reason = parameter.refusal(there, read(taken)) {
                remarks.append("\(input.programme.name): '\(parameter.id)' cannot be applied here: \(reason)")
                set(&taken, read(own), input.programme)
            }
        }
        return taken
    }

    /// Returns whether a change sets a parameter of the heard input. An input that refuses the value is not set.
    private static func sets(_ change: ParameterChange?, _ parameter: Parameter, of heard: ProgrammeRefusal) -> Bool {
        let name = heard.programme.name
        guard let change, change.input ?? name == name else { return false }
        return change.parameter == parameter && parameter.refusal(heard, change.value) == nil
    }
}
