import AudioIO
import Desk
import Loading
import Racks
import Rendering
import SavedSessions
import Soundstage
import Stages

/// Takeover of earlier values: from a session's folder, from the last session of the same name, or from the session
/// that this one replaces.
extension LiveSession {
    /// Applies earlier values before the stage plays for the first time.
    func takeUp(_ former: FormerSession?) {
        if settings.former != nil { takeUpFolder() }
        memory.inheritance.begun = valuesInForce()
        if let former { takeUpSession(former) } else { takeUpLast() }
    }

    // MARK: A session's folder

    /// Applies the folder's values. Those that need a playing stage wait for `takeUpRest`.
    private func takeUpFolder() {
        guard let former = settings.former else { return }
        let refused = Set(applyAtFirst(former).map(\.address))
        memory.unopened = former.filter { refused.contains($0.key) }
    }

    /// Applies the remaining values of a session's folder. Returns the refused addresses with their reasons.
    func takeUpRest(of former: SessionValues) async -> [(address: String, refusal: String)] {
        if settings.former != nil {
            defer { memory.unopened = [:] }
            return await apply(memory.unopened.mapValues { $0 })
        }
        return await apply(former.mapValues { $0 })
    }

    // MARK: Values of last time

    /// Applies the values of the last session of the same name, and notes them in one line.
    private func takeUpLast() {
        guard let request = settings.last else { return }
        let path = LastValues.path(of: stage.client.name, in: request.folder)
        memory.lastValuesPath = path
        let last: LastValues
        do throws(LastValues.Fault) { last = try LastValues(path: path) } catch {
            var remedy = "; the values of this session are not saved"
            if case .damaged = error, let aside = LastValues.setAside(path) { remedy = "; the file is now \(aside)" }
            return note("the values of the last session are not restored: \(error.description)\(remedy)")
        }
        guard !last.changes.isEmpty else { return }
        guard !request.isFresh else {
            return note("the values of the last session are not restored: this session begins fresh")
        }
        memory.inheritance.given = last.difference
        // Values of inputs or trackers that this session lacks are kept for a session that has them.
        let here = last.changes.filter { address, change in
            LastValues.isKept(address) && exists(address)
                && (memory.inheritance.begun[address] != nil || change.before == nil)
        }
        memory.inheritance.missed = Set(last.changes.keys).subtracting(here.keys)
        takeUpLast(here, request)
    }

    /// Applies values of the last session, and notes them in one line. Those that begin with another value now, or that
    /// an option sets, are not applied; another line names them.
    private func takeUpLast(_ last: [String: SessionDifference.Change], _ request: LastValuesRequest) {
        let held = last.filter { address, change in
            memory.inheritance.begun[address] != change.before || request.typed.contains(address)
        }
        let wanted = last.filter { held[$0.key] == nil }.compactMapValues(\.after)
        let refusals = applyAtFirst(wanted)
        for (address, refusal) in refusals {
            note("'\(words(address))', a value of the last session, cannot be applied here: \(refusal)")
        }
        memory.inheritance.missed.formUnion(refusals.map(\.address))
        memory.inheritance.missed.formUnion(held.keys)
        let back = told(Set(wanted.keys).subtracting(refusals.map(\.address)))
        if !back.isEmpty { note("restored from the last session: \(list(back)) (--fresh begins without)") }
        let kept = told(Set(held.keys))
        if !kept.isEmpty { note("not restored, because options or the config file have changed: \(list(kept))") }
    }

    /// Enters the first values of addresses that appear while the session plays, after a change of the stage. A value
    /// of the last session is applied there. The switch of a room or an equalisation follows the command that has
    /// loaded it.
    func takeUpAppeared() {
        let now = valuesInForce()
        let new = memory.inheritance.begin(with: now)
        let last = memory.inheritance.given.changes.filter { address, _ in
            new.contains(address) && LastValues.isKept(address) && StateAddress(address).subject != nil
        }
        guard let request = settings.last, !last.isEmpty else { return }
        memory.inheritance.missed.subtract(last.keys)
        takeUpLast(last, request)
    }

    /// Returns the values to save, and their file; nil if values are not saved.
    func lastValues() -> (path: String, values: LastValues)? {
        guard let path = memory.lastValuesPath else { return nil }
        return (path, LastValues(memory.inheritance.left(lasting, where: LastValues.isKept)))
    }

    /// The values to save: those of `snapshot`, and the switches of loudspeakers that the stage lacks.
    var lasting: SessionValues { snapshot().state.merging(loudspeakerSwitches) { shown, _ in shown } }

    /// Returns those of the addresses that control interfaces are told.
    private func told(_ addresses: Set<String>) -> Set<String> { addresses.filter { StateAddress($0).isTold } }

    private func words(_ address: String) -> String {
        ([address] + (memory.inheritance.given.changes[address]?.after?.written ?? [])).joined(separator: " ")
    }

    /// Returns the first eight of the addresses, and the number of the others.
    private func list(_ addresses: Set<String>) -> String {
        let (all, shown) = (addresses.sorted().map(words), 8)
        return all.prefix(shown).joined(separator: ", ") + (all.count > shown ? " and \(all.count - shown) more" : "")
    }

    // MARK: A session that this one replaces

    /// Applies the values set in that session and its predecessors. Notes refused values, and keeps them for the next
    /// session.
    private func takeUpSession(_ former: FormerSession) {
        memory.inheritance.given = former.values
        // The inserts own the temporary states of the plugins. A second reference here would keep the files too long.
        memory.inheritance.given.chains = nil
        let here = former.values.changes.compactMapValues(\.after).filter { address, _ in
            let place = StateAddress(address)
            return exists(address)
                && (memory.inheritance.begun[address] != nil || !place.isTold
                    || place.parameter?.traits.contains(.isUnsetAtFirst) == true)
        }
        let refusals = applyAtFirst(here)
        for (address, refusal) in refusals { note("'\(words(address))' cannot be applied here: \(refusal)") }
        memory.inheritance.missed = Set(former.values.changes.keys).subtracting(here.keys)
            .union(refusals.map(\.address))
    }

    /// State for the next session. Must be read while this session's driver is open.
    package var remains: FormerSession {
        var kept = playback
        // The successor's client has published nothing yet.
        (kept.published, kept.told) = (nil, [:])
        return FormerSession(
            values: memory.inheritance.left(
                valuesInForce().merging(modesBefore) { told, _ in told }, keepsSaid: true,
                where: FormerSession.isHandedOn),
            playback: kept,
            ears: stage.client.links.filter { $0.from.hasPrefix(stage.client.name + ":") }, client: stage.client.name,
            take: takes.left,
            feed: feed)
    }

    /// Returns the state for a successor, as `remains`. `withPlugins`: with the chains; some plugins take long to save
    /// their states.
    package func remains(withPlugins: Bool) async -> FormerSession {
        guard withPlugins else { return remains }
        // Plugin commands in progress end first.
        while undo.pluginWork > 0 { try? await Task.sleep(for: .milliseconds(5)) }
        let chains = await Self.memory(of: stage.assembly.plugins)
        var left: FormerSession = remains
        left.values.chains = .init(before: nil, after: chains)
        return left
    }

    // MARK: All of them

    /// Returns whether the input or loudspeaker of an address exists in this session.
    private func exists(_ address: String) -> Bool {
        switch StateAddress(address) {
        case .input(let name, _), .modeBefore(let name): stage.input(name) != nil
        case .loudspeaker(let name, _): loudspeakerNames.contains(name)
        case .session, .bypass, .control, .fact: true
        }
    }

    /// Restores the modes that the inputs had before the comparison in progress.
    func takeUpModes(of values: SessionValues) {
        guard monitoring.comparison != nil else { return }
        for (address, value) in values {
            guard case .modeBefore(let name) = StateAddress(address), stage.input(name) != nil,
                let mode = StageMode(word: value.word)
            else { continue }
            monitoring.modes[name] = mode
        }
    }

    /// Mode of each input before a comparison, by address; empty without a comparison.
    var modesBefore: SessionValues {
        guard monitoring.comparison != nil else { return [:] }
        return monitoring.modes.reduce(into: [:]) { values, input in
            values[StateAddress.modeBefore(input.key).text] = .word(input.value.word)
        }
    }
}
