import AudioIO
import Desk
import Foundation
import Loading
import Racks
import Stages

extension LiveSession {
    /// Carries out a command, notes what it changed, and enters what is in force now.
    package func perform(_ command: SessionCommand) async -> SessionReply {
        if staging.trial != nil, command.history != nil || command.isOfPlugins {
            // What it does, or why not, would tell which scene is heard.
            return .refused("two scenes are being compared blind; 'abx off' ends that")
        }
        if let request = command.history { return await turnBack(request) }
        guard command.changesState else { return await carryOut(command) }
        let chains = command.changesChains ? await Self.memory(of: stage.assembly.plugins) : nil
        let number = undo.history.begin()
        let before = environment.desk.state.state.values
        let reply = await carryOut(command)
        enterState()
        if reply.isDone, case .set(let change) = command { noteSaid(change) }
        let others = undo.history.end(number)
        // Turning to another scene changes nothing in it.
        guard reply.isDone, !command.turnsToScene else {
            chains?.forget()
            return reply
        }
        var step = SessionHistory.Step(time: environment.clock.now)
        step.values = environment.desk.state.state.values.difference(from: before).filter { address in
            // Plugins, stages and all else go on beside each other: what another command did meanwhile is its own step.
            address.hasPrefix("plugin/") == command.isOfPlugins && !others.contains(address)
                && StateAddress.isKept(address)
        }
        if chains != nil || step.isOfStage || command.isOfPlugins { step.scene = staging.scene }
        if let chains {
            (step.chains, step.values) = ((chains, await Self.memory(of: stage.assembly.plugins)), SessionDifference())
        }
        // What shows at no address is a change all the same.
        if command.isOfPlugins, step.values.isEmpty { undo.pluginChanges += 1 }
        undo.history.note(step)
        return reply
    }

    /// Notes which addresses a command has set.
    private func noteSaid(_ change: ParameterChange) {
        let addresses = environment.desk.state.state.values.keys.filter { address in
            guard Parameter.standing(at: address) == change.parameter else { return false }
            return change.input.map { address.contains("/\($0)/") } ?? true
        }
        memory.inheritance.said.formUnion(addresses)
    }

    /// Undoes the newest step, or does again what was undone last.
    private func turnBack(_ request: HistoryCommand) async -> SessionReply {
        if undo.history.next(request)?.values.changes.keys.contains(where: { Parameter.named($0)?.takesAWhile == true })
            == true
        {
            await fadeIsOver()
        }
        if let reason = whyNotNow(undo.history.next(request)) { return .refused(reason) }
        guard let step = undo.history.take(request) else {
            return .refused(request == .undo ? "there is nothing to undo" : "nothing was undone")
        }
        let noted = undo.history.noted
        defer { undo.history.put(step, after: request, noted: noted) }
        var refusals: [String] = []
        if let chains = step.chains {
            let memory = request == .undo ? chains.before : chains.after
            let reply = await replaceChains(by: memory)
            undo.pluginChanges += 1
            if case .refused(let reason) = reply { refusals.append(reason) }
        }
        var wanted = (request == .undo ? step.values.inverse : step.values).after
        // Which loudspeakers and inputs have values follows from what the stage is built of.
        if step.isOfStage { wanted = wanted.filter { $0.value != nil } }
        refusals += await apply(wanted).map { "\($0.address): \($0.refusal)" }
        enterState()
        return refusals.isEmpty ? .done : .refused(refusals.joined(separator: "; "))
    }

    /// Why a step has to wait, so that it stays the next one; nil where it need not.
    private func whyNotNow(_ step: SessionHistory.Step?) -> String? {
        if let scene = step?.scene, scene != staging.scene {
            return "that was done in scene \(Staging.names[scene]); turn to it first"
        }
        let isBuilt = step?.values.changes.keys.contains { Parameter.named($0)?.takesAWhile == true } ?? false
        return isBuilt ? whyNoOtherStage : nil
    }

    /// Whether values are taken up that stood beside each other before: one solo must not end another of them.
    @TaskLocal static var isTakingUp = false

    /// Gives addresses values, those that depend on others of them after these; returns what was refused, and why.
    func apply(_ wanted: [String: ParameterValue?]) async -> [(address: String, refusal: String)] {
        await Self.$isTakingUp.withValue(true) { await applyInTurn(wanted) }
    }

    private func applyInTurn(_ wanted: [String: ParameterValue?]) async -> [(address: String, refusal: String)] {
        // What the stage is built of comes first: of other values it says whether they are there.
        func rank(_ address: String) -> Int { Parameter.named(address)?.rebuildsStage == true ? 0 : 1 }
        var left = wanted.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
        var refusals: [(address: String, refusal: String)] = []
        for _ in 0..<2 {
            refusals = []
            for (address, value) in left {
                // What follows from others is as it was with them, and might be refused by itself.
                if valuesInForce()[address] == value { continue }
                if let refusal = await put(value, at: address) { refusals.append((address, refusal)) }
            }
            let refused = Set(refusals.map(\.address))
            left = left.filter { refused.contains($0.key) }
        }
        return refusals
    }

    /// Gives an address a value; returns why not.
    private func put(_ value: ParameterValue?, at address: String) async -> String? {
        do throws(ParameterError) {
            guard let value else {
                guard let command = StateAddress.unsaying(address) else {
                    return "nothing was said of it before, and that cannot be said again"
                }
                if case .refused(let reason) = await carryOut(command) { return reason }
                return nil
            }
            guard let command = try StateAddress.command(address, value) else { return "it cannot be set" }
            if case .refused(let reason) = await carryOut(command) { return reason }
            return nil
        } catch {
            return error.description
        }
    }

    /// The same before the stage plays, of what takes no while.
    func applyAtFirst(_ wanted: SessionValues) -> [(address: String, refusal: String)] {
        Self.$isTakingUp.withValue(true) {
            var left = wanted.sorted { $0.key < $1.key }
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
            guard case .set(let change)? = try StateAddress.command(address, value) else { return "it cannot be set" }
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

extension SessionCommand {
    /// Whether something may be in force afterwards that was not before.
    var changesState: Bool {
        switch self {
        case .status, .picture, .loudness, .quit, .start, .plugin(.list), .plugin(.known), .plugin(.about),
            .plugin(.save), .plugin(.midi), .history:
            false
        case .recentre, .set, .playback, .record, .preview, .plugin, .calibration, .surface: true
        }
    }

    /// Whether it changes what is in the chains of plugins.
    var changesChains: Bool {
        switch self {
        case .plugin(.add), .plugin(.remove), .plugin(.move), .plugin(.replace), .plugin(.load), .plugin(.preset): true
        default: false
        }
    }

    /// Whether it has another scene heard, or ends that.
    var turnsToScene: Bool {
        guard case .set(let change) = self, case .staging(let act) = change.parameter.effect else { return false }
        return act != .print
    }

    /// Whether it is about plugins.
    var isOfPlugins: Bool { if case .plugin = self { true } else { false } }

    /// What it asks of the history; nil where it asks for something else.
    var history: HistoryCommand? { if case .history(let request) = self { request } else { nil } }
}
