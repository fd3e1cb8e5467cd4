import Desk
import Loading
import Rendering
import Soundstage
import Stages

/// Comparison of the fixed stage, the tracked stage and the fold-down that bypasses the stage, at equal loudness.
extension LiveSession {
    /// Switches all inputs of all stages to the mode of a comparison. Sound fields have no `bypass` and keep their mode
    /// then. A value that names no comparison ends the comparison.
    func compare(_ value: ParameterValue) -> SessionReply {
        guard let comparison = MonitorSettings.Comparison(rawValue: value.word) else {
            endComparison()
            return .done
        }
        guard !Self.inputs(of: stage, able: comparison).isEmpty else {
            return .refused(StageRefusal.noFold(of: layout))
        }
        monitoring.comparison = comparison
        // The heard stage comes first, so that the modes kept for the end of the comparison are those of its inputs.
        for each in stages { enter(comparison, on: each) }
        return .done
    }

    /// Returns the inputs of a stage that can take the mode of a comparison: for `bypass` all but sound fields.
    private static func inputs(of stage: Stage, able comparison: MonitorSettings.Comparison) -> [ProgrammeRenderer] {
        stage.assembly.renderer.programmes.filter { comparison != .bypass || $0.programme.field == nil }
    }

    /// Switches the inputs of a stage that can take it to the mode of the comparison in progress. Stores the mode of
    /// each input before the comparison, unless a mode is stored for an input of that name.
    func enter(_ comparison: MonitorSettings.Comparison, on stage: Stage) {
        for input in Self.inputs(of: stage, able: comparison) {
            let programme = input.programme
            if monitoring.modes[programme.name] == nil { monitoring.modes[programme.name] = input.controls.mode }
            let gain =
                programme.field == nil && programme.role != .direct
                ? stage.assembly.gainPastStage(programme) : 1
            input.change { controls in
                controls.mode = programme.role.mode(in: comparison.mode)
                controls.gainPastStage = gain
            }
        }
    }

    /// Ends the comparison: all inputs return to their former modes, and sound that bypasses the stage to its own
    /// level.
    ///
    /// - Parameter kept: inputs whose mode was set by a command meanwhile. They keep this mode.
    func endComparison(keeping kept: [ProgrammeRenderer] = []) {
        guard monitoring.comparison != nil else { return }
        let names = Set(kept.map(\.programme.name))
        // All stages: in an unheard one an input may keep the comparison's mode that the heard input refuses.
        for each in stages {
            for input in each.assembly.renderer.programmes where !names.contains(input.programme.name) {
                let mode = monitoring.modes[input.programme.name]
                // A sound field has no mode without a stage.
                let isRefused = mode == .off && input.programme.field != nil
                input.change { controls in
                    if let mode, !isRefused { controls.mode = mode }
                    controls.gainPastStage = 1
                }
            }
            for input in each.assembly.renderer.programmes where names.contains(input.programme.name) {
                input.change { $0.gainPastStage = 1 }
            }
        }
        monitoring.comparison = nil
        monitoring.modes = [:]
    }
}
