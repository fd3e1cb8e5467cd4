import AudioIO
import Rendering
import Soundstage

/// A session that goes on with what was set when the last of its name played.
extension LiveSession {
    /// What was set last time, in a session that goes on with it.
    struct Remembering {
        /// The file.
        var path: String
        /// What is in it, or is to be.
        var kept = LastValues()
        /// What there was before anything of it came back, by address.
        var begun: [String: ParameterValue] = [:]
        /// Addresses whose kept values did not come back, because something else was asked for.
        var heldBack: Set<String> = []
    }

    /// Before a stage plays for the first time: sets what was set last time, and tells of it in a line.
    func comeBack() {
        guard let wish = settings.last else { return }
        var memory = Remembering(path: LastValues.path(of: stage.client.name, in: wish.folder))
        memory.begun = valuesInForce().filter { LastValues.isKept($0.key) }
        defer { remembering = memory }
        let former: LastValues
        do throws(SessionError) { former = try LastValues(path: memory.path) } catch {
            return note("what was set last time does not come back: \(error.description)")
        }
        guard !former.changes.isEmpty else { return }
        guard !wish.isFresh else { return note("what was set last time does not come back: this session begins fresh") }
        memory.kept = former
        var (back, held) = ([String](), [String]())
        // What this session has not, as an input or trackers, waits for one that has.
        var left = former.changes.sorted { $0.key < $1.key }.filter { address, change in
            LastValues.isKept(address) && exists(address) && (memory.begun[address] != nil || change.begun == nil)
        }
        left.removeAll { address, change in
            if memory.begun[address] == change.begun, !wish.said.contains(address) { return false }
            memory.heldBack.insert(address)
            held.append(Self.words(address, change.now))
            return true
        }
        // What depends on another of them can be set after it.
        for isLast in [false, true] {
            left.removeAll { address, change in
                guard let refusal = putAtFirst(change.now, at: address) else {
                    back.append(Self.words(address, change.now))
                    return true
                }
                if isLast {
                    memory.heldBack.insert(address)
                    note("'\(Self.words(address, change.now))', as it was last time, is not done here: \(refusal)")
                }
                return false
            }
        }
        takeUp(modes: former.modes)
        if !back.isEmpty { note("as it was last time: \(Self.list(back)) (--fresh begins without)") }
        if !held.isEmpty { note("not as it was last time, since it is said otherwise now: \(Self.list(held))") }
    }

    /// What is to come back, as it is now, and the file for it; nil where nothing is.
    func lastValues() -> (path: String, values: LastValues)? {
        guard let memory = remembering else { return nil }
        var values = memory.kept
        for (address, now) in environment.desk.state.state.values where LastValues.isKept(address) {
            if now != memory.begun[address] {
                values.changes[address] = LastValues.Change(begun: memory.begun[address], now: now)
            } else if !memory.heldBack.contains(address) {
                values.changes[address] = nil
            }
        }
        values.modes = modesBefore
        return (memory.path, values)
    }

    /// Whether this session has what an address is about.
    private func exists(_ address: String) -> Bool {
        let parts = address.split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case ("input", 3): return stage.assembly.renderer.inputs.contains { $0.programme.name == parts[1] }
        case ("loudspeaker", 3): return loudspeakerNames.contains(parts[1])
        default: return true
        }
    }

    /// Gives an address a value before the stage plays; why not.
    func putAtFirst(_ value: ParameterValue, at address: String) -> String? {
        do throws(ParameterError) {
            guard case .set(let change)? = try StateAddress.command(address, value) else { return "it cannot be set" }
            if case .refused(let reason) = set(change) { return reason }
            remember(change)
            return nil
        } catch {
            return error.description
        }
    }

    private static func words(_ address: String, _ value: ParameterValue) -> String {
        ([address] + value.written).joined(separator: " ")
    }

    /// The first of them, and how many more there are.
    private static func list(_ all: [String]) -> String {
        let shown = 8
        return all.prefix(shown).joined(separator: ", ") + (all.count > shown ? " and \(all.count - shown) more" : "")
    }
}
