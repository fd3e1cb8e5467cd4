import AudioIO
import Rendering
import Soundstage

/// What a session leaves to the next, and how that one takes it up.
extension LiveSession {
    /// What another session may go on with; while this one's driver is open.
    var legacy: SessionLegacy {
        var kept = playback
        // A client of its own has nothing published yet.
        (kept.published, kept.told) = (nil, [:])
        var said = dynamics
        if let unmet { said["main"] = unmet }
        return SessionLegacy(
            changes: changes, dynamics: said, playsRoom: playsRoom, equalises: equalises,
            monitoring: monitoring,
            playback: kept,
            ears: stage.client.links.filter { $0.from.hasPrefix(stage.client.name + ":") }, client: stage.client.name,
            take: (settings.record ?? taking.last, settings.record != nil, taking.isByCommand), feed: feed)
    }

    /// Remembers a change that was done, for the session that goes on after this one.
    func remember(_ change: ParameterChange) {
        switch change.parameter.effect {
        case .controls, .upmix: break
        default: return
        }
        let former = changes.firstIndex {
            $0.parameter == change.parameter && $0.input == change.input
                && $0.value.word.isEmpty == change.value.word.isEmpty
        }
        let word = former.map { changes.remove(at: $0).value.word }
        guard change.value.word == "toggle", let word else { return changes.append(change) }
        // A toggle of a toggle is nothing; that of a state is the other one.
        if word != "toggle" {
            changes.append(ParameterChange(change.parameter, .word(word == "on" ? "off" : "on"), input: change.input))
        }
    }

    /// Before a stage plays: sets what was set of the session before. What this one cannot do is told, and kept for the
    /// next.
    func follow(_ legacy: SessionLegacy) {
        for change in legacy.changes {
            if case .refused(let why) = set(change) {
                let words = ([change.parameter.id] + change.value.written).joined(separator: " ")
                note("'\(words)' is not done here: \(why)")
            }
            remember(change)
        }
    }
}
