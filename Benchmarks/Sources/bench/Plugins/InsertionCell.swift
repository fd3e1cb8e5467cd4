import CPluginPeer
import CRealtime
import Foundation
import Inserts
import PluginHost

/// Insertion and removal of a second plugin behind another while sound passes: time off the audio thread, and slices on
/// it.
enum InsertionCell {
    /// Number of insertions and removals.
    private static let rounds = 15

    /// Times measured in one cell, nanoseconds.
    private struct Found {
        var made: [Double] = []
        var isolated: [Double] = []
        var alone: [Double] = []
        var inForce: [Double] = []
        var gone: [Double] = []
    }

    static func plan() -> [CellPlan] {
        [PluginChoice.all[0], .limiter, PluginChoice.all[4]].flatMap { choice in
            ["time", "slices"].map { kind in
                let id = "plugins/insertion/\(choice.name)/\(kind)"
                return CellPlan(id: id, group: PluginGroup.name, isQuick: false) { bench in
                    try PluginGroup.refuseLockstep(bench)
                    return try measure(id, PluginWork(choice, channels: 2, slice: 64), bench, isTime: kind == "time")
                }
            }
        }
    }

    private static func measure(_ id: String, _ work: PluginWork, _ bench: Bench, isTime: Bool) throws -> Cell {
        let chain = try ChainContender(work)
        let loop = InsertionLoop(chain, work, longest: 60, clock: bench.interleaved.clock)
        var found = Found()
        loop.start()
        do {
            for _ in 0..<rounds { try comeAndGo(chain, work, loop, &found, isTime: isTime) }
        } catch {
            loop.stop()
            throw error
        }
        loop.stop()
        let remark = Paced.words(loop.isRealTime)
        return Cell(
            id: id, group: PluginGroup.name,
            title: isTime
                ? "a plugin comes and goes: what it takes"
                : "slices while a plugin comes and goes: what 99 of 100 keep to",
            unit: isTime ? "ms" : "µs", facts: work.facts,
            contenders: isTime ? times(found) : slices(loop, remark), void: nil)
    }

    private static func times(_ found: Found) -> [Figures] {
        [
            Figures("Proscenium, made", .ours, found.made, unit: 1e6, remark: "all instances, ready to run"),
            Figures(
                "lilv, made alone", .peer, found.alone, unit: 1e6,
                remark: "bundle read, instances made, connected, active"),
            Figures("Proscenium, made in processes of their own", .part, found.isolated, unit: 1e6),
            Figures(
                "Proscenium, from the request to in force", .part, found.inForce, unit: 1e6,
                remark: "20 ms and its latency unheard, 50 ms of fade, looks every 2 ms"),
            Figures(
                "Proscenium, from the request to gone", .part, found.gone, unit: 1e6,
                remark: "50 ms of fade, handed back, freed"),
        ]
    }

    private static func slices(_ loop: InsertionLoop, _ remark: String) -> [Figures] {
        [
            ("one plugin", InsertionState.one, Role.part), ("two plugins", .two, .part),
            ("the second comes or goes", .changing, .ours),
        ]
        .map { name, state, role in
            Figures(
                "Proscenium, \(name)", role, loop.times(during: state), unit: 1e3, share: 0.99, remark: remark,
                allocations: loop.allocations)
        }
    }

    private static func comeAndGo(
        _ chain: ChainContender, _ work: PluginWork, _ loop: InsertionLoop, _ found: inout Found, isTime: Bool
    ) throws {
        usleep(60_000)
        let (renderer, first) = (chain.renderer, chain.request)
        var second: [any PluginInstance] = []
        found.made.append(try nanoseconds { second = try ChainContender.instances(work, by: LV2Backend()) })
        defer { for instance in second { _ = instance.close(within: 5) } }
        let both = renderer.places.chains([first, ChainContender.request(second, work)])
        loop.enter(.changing)
        found.inForce.append(try nanoseconds { try settle(renderer, on: both) })
        loop.enter(.two)
        usleep(60_000)
        loop.enter(.changing)
        found.gone.append(try nanoseconds { try settle(renderer, on: renderer.places.chains([first])) })
        loop.enter(.one)
        guard isTime else { return }
        var alone: [OpaquePointer] = []
        found.alone.append(
            try nanoseconds { alone = try (0..<work.instances).map { _ in try LilvContender.make(work) } })
        for instance in alone { peer_lv2_destroy(instance) }
        var isolated: [any PluginInstance] = []
        found.isolated.append(
            try nanoseconds { isolated = try ChainContender.instances(work, by: IsolatedBackend(LV2Backend())) })
        for instance in isolated { _ = instance.close(within: 5) }
    }

    /// Requests chains, and polls every 2 ms until they are in force and the previous ones are released.
    private static func settle(_ renderer: InsertRenderer, on chains: [[InsertRequest]]) throws {
        renderer.ask(for: chains)
        for _ in 0..<5000 where !renderer.isSettled {
            usleep(2000)
            renderer.advance()
        }
        guard renderer.isSettled else { throw Refusal("the chain does not come into force within ten seconds") }
    }

    private static func nanoseconds(_ body: () throws -> Void) throws -> Double {
        let start = prc_monotonic_nanoseconds()
        try body()
        return Double(prc_monotonic_nanoseconds() - start)
    }
}
