import Foundation

/// Compares Debian's `lv2bench`, which runs a plugin in a loop and prints the seconds, with the product's chain and the
/// plugin alone in this process, in turn. One instance, with as many channels as the plugin has.
enum LV2BenchCell {
    private static let program = "/usr/bin/lv2bench"
    private static let rounds = 7

    static func plan() -> [CellPlan] {
        PluginChoice.all.flatMap { choice in
            [64, 128, 256].map { slice in
                let id = "plugins/lv2bench/\(choice.name)/slice\(slice)"
                return CellPlan(id: id, group: PluginGroup.name, isQuick: false) { bench in
                    try PluginGroup.refuseLockstep(bench)
                    let channels = try choice.described().audioOutputs.count
                    return try cell(id, choice, PluginWork(choice, channels: channels, slice: slice), bench)
                }
            }
        }
    }

    private static func cell(_ id: String, _ choice: PluginChoice, _ work: PluginWork, _ bench: Bench) throws -> Cell {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Refusal("lv2bench is not installed (Debian: apt-get install lilv-utils)")
        }
        let steps = 40
        let contenders: [any Contender] = [try ChainContender(work), try LilvContender(work)]
        let output = Output(rows: work.channels, frames: work.slice)
        let truth = try PluginTruth(work, steps: steps)
        let errors = contenders.map {
            Agreement(warming: 0, compared: steps).error(of: $0, with: truth, output: output)
        }
        var clock = bench.interleaved
        clock.rounds = 2
        var runs: [Double] = []
        var times: [[Double]] = [[], []]
        for round in 0..<rounds {
            runs.append(try run(choice, work))
            let taken = clock.measure(contenders, from: [steps + round, steps + round], output: output)
            for index in contenders.indices { times[index] += taken[index].steps }
        }
        var facts = work.facts
        facts.truth = truth.name
        let void = errors.contains { $0 > Agreement.limitDecibels }
        return Cell(
            id: id, group: PluginGroup.name, title: "lv2bench, a program of its own, beside the same plugin here",
            unit: "ns per slice, all channels", facts: facts,
            contenders: [
                Figures(contenders[0].name, .ours, times[0], unit: 1, errorDecibels: errors[0]),
                Figures(contenders[1].name, .peer, times[1], unit: 1, errorDecibels: errors[1]),
                Figures("lv2bench", .peer, runs, unit: 1, remark: "its own input, the same in each block"),
            ], void: void ? "results differ from the plugin run alone" : nil)
    }

    /// Returns the nanoseconds per slice that the program prints.
    private static func run(_ choice: PluginChoice, _ work: PluginWork) throws -> Double {
        // The run takes milliseconds with the fastest plugin, tenths of a second with the slowest.
        let slices = 20_000
        let child = Process()
        child.executableURL = URL(fileURLWithPath: program)
        child.arguments = ["-b", "\(work.slice)", "-n", "\(slices * work.slice)", choice.identifier]
        let pipe = Pipe()
        child.standardOutput = pipe
        child.standardError = FileHandle.nullDevice
        try child.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        guard child.terminationStatus == 0, let word = said.split(separator: " ").first, let seconds = Double(word),
            seconds > 0
        else { throw Refusal("lv2bench says nothing of \(choice.identifier): '\(said)'") }
        return seconds * 1e9 / Double(slices)
    }
}
