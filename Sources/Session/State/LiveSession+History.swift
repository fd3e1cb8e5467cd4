import AudioIO
import Desk
import Foundation
import Loading
import Racks
import SavedSessions
import Stages
import Trackers

extension LiveSession {
    /// Carries out a command, notes its changes in the history, and publishes the values in force.
    package func perform(_ command: SessionCommand) async -> SessionReply {
        if let reason = refusal(of: command) { return .refused(reason) }
        if let request = command.history { return await turnBack(request) }
        let change = command.execution.change
        guard change != .nothing else { return await carryOut(command) }
        defer { lookSoon() }
        let property = self.property(of: command)
        let isOfChains = change == .chains || property != nil
        let chains = isOfChains ? await chainsNow() : nil
        let number = undo.history.begin()
        var before = snapshot()
        before.chains = chains
        let reply = await carryOut(command)
        enterState()
        if reply.isDone, case .set(let setting) = command { noteSaid(setting) }
        let others = undo.history.end(number)
        // A switch to another scene is no step of the history.
        guard reply.isDone, !command.turnsToScene else { return reply }
        var step = SessionHistory.Step(time: environment.clock.now)
        let scene = staging.scene
        var after = snapshot()
        if isOfChains { after.chains = await chainsNow() }
        step.difference = after.difference(from: before).filter { address in
            // Commands overlap: changes made by another command in the meantime belong to that command's step.
            let place = StateAddress(address)
            return !isOfChains && place.isKept && (place.plugin != nil) == command.isOfPlugins
                && !others.contains(address)
        }
        if isOfChains || step.isOfStage || command.isOfPlugins { step.scene = scene }
        step.property = property
        // A change without an address still counts.
        if command.isOfPlugins, step.difference.changes.isEmpty { undo.pluginChanges += 1 }
        undo.history.note(step)
        return reply
    }

    /// Returns the reason for which a session refuses commands of this kind now: another program carries them out, or a
    /// condition of their row does not hold. Nil if it does not refuse them.
    private func refusal(of command: SessionCommand) -> String? {
        if let reason = Command.row(of: command)?.programs.refusal { return reason }
        var conditions = command.execution.conditions
        if changesLoudspeakers(command) { conditions.insert(.noBlindComparison) }
        return CommandExecution.Condition.allCases.first { conditions.contains($0) && !holds($0) }?.refusal
    }

    private func holds(_ condition: CommandExecution.Condition) -> Bool {
        switch condition {
        case .noBlindComparison: staging.trial == nil
        case .headTracker: feed.head != nil
        }
    }

    /// Returns the property that a command sets, as `plugin/symbol`; nil for any other command. A property has no
    /// address: it is a part of the plugin's state.
    private func property(of command: SessionCommand) -> String? {
        guard case .plugin(.set(let name, let symbol, _)) = command,
            let insert = stage.assembly.plugins.inserts.first(where: { $0.name == name }),
            insert.controls[symbol] == nil
        else { return nil }
        return "\(name)/\(symbol)"
    }

    /// Returns the present chains of the heard stage.
    private func chainsNow() async -> PluginRack.Memory { await Self.memory(of: stage.assembly.plugins) }

    /// Notes the addresses that a command set.
    private func noteSaid(_ change: ParameterChange) {
        let word = (change.parameter.isOfLoudspeakers ? change.parameter.loudspeakerWord : change.parameter.id).utf8
        let addresses = environment.desk.state.state.values.keys.filter { address in
            // Only addresses that end with the parameter's word are looked up, which are few.
            guard address.utf8.suffix(word.count).elementsEqual(word),
                case let place = StateAddress(address), place.parameter == change.parameter
            else { return false }
            return change.input == nil || place.subject == change.input
        }
        memory.inheritance.said.formUnion(addresses)
    }

    /// Undoes the newest step, or redoes the step that was undone last.
    private func turnBack(_ request: SessionCommand.History) async -> SessionReply {
        if undo.history.next(request)?.takesAWhile == true { await fadeIsOver() }
        if let reason = whyNotNow(undo.history.next(request)) { return .refused(reason) }
        guard let step = undo.history.take(request) else {
            return .refused(request == .undo ? "there is nothing to undo" : "nothing was undone")
        }
        let noted = undo.history.noted
        defer { undo.history.put(step, after: request, noted: noted) }
        let wanted = request == .undo ? step.difference.inverse : step.difference
        // The choices of the stage determine which loudspeakers and inputs have values.
        let isOfStage = step.isOfStage
        let refusals = await apply(wanted.filter { !isOfStage || wanted.changes[$0]?.after != nil })
        enterState()
        return refusals.isEmpty ? .done : .refused(refusals.joined(separator: "; "))
    }

    /// Returns the reason why a step cannot be undone or redone now; nil if it can. After a refusal the step stays the
    /// next one.
    private func whyNotNow(_ step: SessionHistory.Step?) -> String? {
        if let scene = step?.scene, scene != staging.scene {
            return "that was done in scene \(Staging.names[scene]); switch to that scene first"
        }
        return step?.takesAWhile == true ? whyNoOtherStage : nil
    }

    /// Whether several earlier values are being restored. A restored solo must then not end another restored one.
    @TaskLocal static var isTakingUp = false

    /// Applies a difference: the chains, then the values. Returns the reasons for what is refused, with the addresses.
    private func apply(_ difference: SessionDifference) async -> [String] {
        var refusals: [String] = []
        if let chains = difference.chains?.after {
            let reply = await replaceChains(by: chains)
            undo.pluginChanges += 1
            if case .refused(let reason) = reply { refusals.append(reason) }
        }
        let refused = await apply(difference.after)
        return refusals + refused.map { "\($0.address): \($0.refusal)" }
    }

    /// Sets values at addresses, in an order that respects their dependences. Returns the refused addresses with their
    /// reasons.
    func apply(_ wanted: [String: ParameterValue?]) async -> [(address: String, refusal: String)] {
        let told = wanted.filter { StateAddress($0.key).isTold }
        let refusals = await Self.$isTakingUp.withValue(true) { await applyInTurn(told) }
        takeUpModes(of: wanted.compactMapValues { $0 })
        return refusals
    }

    private func applyInTurn(_ wanted: [String: ParameterValue?]) async -> [(address: String, refusal: String)] {
        // Choices of the stage come first: they determine which other values exist.
        func rank(_ address: String) -> Int { Parameter.named(address)?.rebuildsStage == true ? 0 : 1 }
        var left = wanted.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
        var refusals: [(address: String, refusal: String)] = []
        for _ in 0..<2 {
            refusals = []
            for (address, value) in left {
                // A value that is already in force, as a result of others, is skipped: setting it might be refused.
                if valuesInForce()[address] == value { continue }
                if let refusal = await put(value, at: address) { refusals.append((address, refusal)) }
            }
            let refused = Set(refusals.map(\.address))
            left = left.filter { refused.contains($0.key) }
        }
        return refusals
    }

    /// Sets the value at an address. Returns the reason if it is refused, else nil.
    private func put(_ value: ParameterValue?, at address: String) async -> String? {
        do throws(ParameterError) {
            guard let value else {
                guard let command = StateAddress(address).clearing else {
                    return "it had no value before, and its value cannot be removed"
                }
                if case .refused(let reason) = await carryOut(command) { return reason }
                return nil
            }
            guard let command = try StateAddress(address).command(value) else { return "it cannot be set" }
            if case .refused(let reason) = await carryOut(command) { return reason }
            return nil
        } catch {
            return error.description
        }
    }

    /// Like `apply(_:)`, but before the stage plays, and only for values that take effect at once.
    func applyAtFirst(_ wanted: SessionValues) -> [(address: String, refusal: String)] {
        defer { takeUpModes(of: wanted) }
        return Self.$isTakingUp.withValue(true) {
            var left = wanted.filter { StateAddress($0.key).isTold }.sorted { $0.key < $1.key }
            var refusals: [(address: String, refusal: String)] = []
            for _ in 0..<2 {
                refusals = []
                left.removeAll { address, value in
                    guard valuesInForce()[address] != value, let refusal = putAtFirst(value, at: address) else {
                        return true
                    }
                    refusals.append((address, refusal))
                    return false
                }
            }
            return refusals
        }
    }

    private func putAtFirst(_ value: ParameterValue, at address: String) -> String? {
        do throws(ParameterError) {
            guard case .set(let change)? = try StateAddress(address).command(value) else { return "it cannot be set" }
            if case .refused(let reason) = set(change) { return reason }
            return nil
        } catch {
            return error.description
        }
    }

    private func replaceChains(by memory: PluginRack.Memory) async -> SessionReply {
        await stageIsBuilt()
        undo.pluginWork += 1
        defer { undo.pluginWork -= 1 }
        let (plugins, period) = (stage.assembly.plugins, stage.client.periodFrames)
        let reason = await Self.besides { () throws(SessionError) in
            try plugins.replaceAll(by: memory.requests, period: period, isForgiving: true)
        }
        if let reason { return .refused(reason) }
        if let print = stage.print?.plugins { await followChains(of: plugins, by: print) }
        return .done
    }
}
