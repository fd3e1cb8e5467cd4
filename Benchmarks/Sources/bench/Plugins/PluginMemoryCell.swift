import CAllocations
import Foundation
import PluginHost

/// Memory of an instance that it shares with no other.
enum PluginMemoryCell {
    private static let instances = 24

    static func plan(_ choice: PluginChoice) -> CellPlan {
        let id = "plugins/memory/\(choice.name)"
        return CellPlan(id: id, group: PluginGroup.name, isQuick: false) { bench in
            try PluginGroup.refuseLockstep(bench)
            let channels = try choice.described().audioOutputs.count
            let work = try PluginWork(choice, channels: channels, slice: 64)
            return Cell(
                id: id, group: PluginGroup.name,
                title: "memory of an instance that is its alone (Private_Clean + Private_Dirty)",
                unit: "KiB", facts: work.facts, contenders: try figures(work), void: nil)
        }
    }

    private static func figures(_ work: PluginWork) throws -> [Figures] {
        // Loads the code that all instances share before the measurement.
        let output = Output(rows: work.channels, frames: work.slice)
        let first = try (ChainContender(work), LilvContender(work))
        for step in 0..<100 {
            first.0.step(step, into: output)
            first.1.step(step, into: output)
        }
        let here = try growth(output) { try ChainContender(work) }
        let alone = try growth(output) { try LilvContender(work) }
        let isolated = try ChainContender(work, by: IsolatedBackend(LV2Backend()), isOffline: true)
        for step in 0..<100 { isolated.step(step, into: output) }
        let children = self.children().map { memory(ofProcess: "\($0)") }
        guard children.count == isolated.instances.count else {
            throw Refusal(
                "\(children.count) processes of isolated plugins are to be seen, not \(isolated.instances.count)")
        }
        let each = children.map(\.own).reduce(0, +) / Double(children.count)
        let whole = children.map(\.whole).reduce(0, +) / Double(children.count)
        return [
            Figures(
                "Proscenium, in this process", .ours, [here.resident], unit: 1,
                remark: "with its place in a chain; mean of \(instances)", bytes: here.allocated),
            Figures(
                "lilv, alone", .peer, [alone.resident], unit: 1, remark: "mean of \(instances)", bytes: alone.allocated),
            Figures(
                "Proscenium, its own process", .part, [each], unit: 1,
                remark: "\(Int(whole)) KiB resident, with what it shares; the process is this benchmark's program"),
        ]
    }

    /// Returns the growth per further instance, after all have run: resident KiB, and bytes allocated and not freed.
    private static func growth<Made: Contender>(
        _ output: Output, _ make: () throws -> Made
    ) throws -> (resident: Double, allocated: Int64) {
        var kept: [Made] = []
        kept.reserveCapacity(instances)
        // Returns free pages to the system, so that later allocations count as new.
        bench_return_free_pages()
        let (before, given) = (memory(ofProcess: "self").own, bench_bytes_in_use())
        for _ in 0..<instances {
            let made = try make()
            for step in 0..<100 { made.step(step, into: output) }
            kept.append(made)
        }
        bench_return_free_pages()
        let allocated = (bench_bytes_in_use() - given) / Int64(kept.count)
        return ((memory(ofProcess: "self").own - before) / Double(kept.count), allocated)
    }

    /// Returns the memory of a process in KiB: its own alone, and all that is resident.
    private static func memory(ofProcess process: String) -> (own: Double, whole: Double) {
        let text = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
        var found: [String: Double] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 3, let number = Double(words[1]) { found[String(words[0])] = number }
        }
        return ((found["Private_Clean:"] ?? 0) + (found["Private_Dirty:"] ?? 0), found["Rss:"] ?? 0)
    }

    /// Returns the running processes that this process started.
    private static func children() -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int($0) }.filter { process in
            let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            // Format: pid (name) state parent …; the name may contain blanks and brackets.
            let words = text.split(separator: ")").last?.split(separator: " ") ?? []
            return words.count > 1 && words[0] != "Z" && Int(words[1]) == Int(getpid())
        }
    }
}
