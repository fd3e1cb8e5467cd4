import AudioIO
import Rendering
import Soundstage

/// What a session leaves to the next, and how that one takes it up.
extension LiveSession {
    /// What another session may go on with; while this one's driver is open.
    var legacy: SessionLegacy {
        var kept = playback
        // A client of its own has nothing published yet, and its stage a gate of its own.
        (kept.published, kept.closing, kept.told) = (PlaybackStatus(), nil, [:])
        return SessionLegacy(
            changes: changes, dynamics: dynamics, playsRoom: playsRoom, playback: kept,
            ears: stage.client.links.filter { $0.from.hasPrefix(stage.client.name + ":") }, client: stage.client.name,
            feed: feed)
    }

    /// Remembers a change that was done, for whoever goes on after this session.
    func remember(_ change: ParameterChange) {
        switch Parameter.named(change.parameter)?.effect {
        case .controls, .upmix: break
        default: return
        }
        changes.removeAll {
            $0.parameter == change.parameter && $0.input == change.input
                && $0.value.word.isEmpty == change.value.word.isEmpty
        }
        changes.append(change)
    }

    /// Before a stage plays: sets what was set of the session before. What this one cannot do is told, and kept for the next.
    func follow(_ legacy: SessionLegacy) {
        for input in stage.assembly.renderer.inputs where input.programme.name != "main" {
            guard let said = legacy.dynamics[input.programme.name] else { continue }
            if case .refused(let why) = setDynamics(of: [input], { $0 = said }) { note("no longer: \(why)") }
        }
        for change in legacy.changes {
            if case .refused(let why) = set(change) {
                let words = ([change.parameter] + change.value.written).joined(separator: " ")
                note("'\(words)' is not done here: \(why)")
            }
            remember(change)
        }
    }
}
