import CAllocations
import CRealtime
import PluginHost

/// A plugin run once per period, with a sleep between: alone, in a chain, and in a process of its own. As in a real
/// client, the caches are then cold. The contenders take turns of some periods; the first periods of a turn do not
/// count.
final class PacedCell {
    private let work: PluginWork
    private let turns: Int
    private var entrants: [Entrant] = []

    /// Periods per turn, and periods at its beginning that do not count: the process of the isolated plugin must wake
    /// first.
    private static let (turn, unheard) = (60, 10)

    static func plan() -> [CellPlan] {
        [(PluginChoice.all[0], [1, 2, 12]), (PluginChoice.limiter, [2, 12])].flatMap { choice, counts in
            counts.flatMap { channels in
                [64, 128, 256].map { slice in
                    let id = "plugins/paced/\(choice.name)/ch\(channels)/slice\(slice)"
                    let isQuick = choice.name == "dpl" && channels == 2 && slice == 64
                    return CellPlan(id: id, group: PluginGroup.name, isQuick: isQuick) { bench in
                        try PluginGroup.refuseLockstep(bench)
                        let work = try PluginWork(choice, channels: channels, slice: slice)
                        return try PacedCell(work, seconds: bench.options.isQuick ? 1 : 2.5).measure(id, bench)
                    }
                }
            }
        }
    }

    private init(_ work: PluginWork, seconds: Double) throws {
        self.work = work
        turns = max(3, Int(seconds / work.seconds) / PacedCell.turn)
        let steps = turns * PacedCell.turn
        entrants = [
            Entrant(try LilvContender(work), steps),
            Entrant(try ChainContender(work), steps),
            Entrant(
                try ChainContender(work, by: IsolatedBackend(LV2Backend()), name: "Proscenium, isolated"), steps),
        ]
    }

    private func measure(_ id: String, _ bench: Bench) throws -> Cell {
        let output = Output(rows: work.channels, frames: work.slice)
        let clock = bench.interleaved.clock
        var isRealTime = true
        for turn in 0..<turns {
            for place in 0..<entrants.count {
                let entrant = entrants[(place + turn) % entrants.count]
                let given = Paced.run(every: work.seconds) { period in
                    guard period < PacedCell.turn else { return false }
                    entrant.step(turn * PacedCell.turn + period, counts: period >= PacedCell.unheard, output, clock)
                    return true
                }
                isRealTime = isRealTime && given
            }
        }
        let (alone, words) = (entrants[0], Paced.words(isRealTime))
        let differing = [0, entrants[1].differing(from: alone, by: 0), entrants[2].differing(from: alone, by: 1)]
        let figures = zip(entrants, differing).map { entrant, differing in
            let missed = (entrant.contender as? ChainContender)?.missed ?? 0
            return Figures(
                entrant.contender.name, entrant.contender.role, entrant.times, unit: 1,
                remark: missed == 0 ? words : "\(words); \(missed) calls without sound in time",
                allocations: entrant.allocations, errorDecibels: differing == 0 ? -300 : .infinity)
        }
        var facts = work.facts
        facts.truth =
            "each slice to the bit that of the plugin run alone; isolated, a slice later, where none was missed"
        let wrong = differing.indices.filter { differing[$0] > 0 }.map {
            "\(entrants[$0].contender.name) differs from the plugin run alone in \(differing[$0]) slices"
        }
        return Cell(
            id: id, group: PluginGroup.name, title: "a plugin once a period, with a sleep between",
            unit: "ns per slice, all channels", facts: facts, contenders: figures,
            void: wrong.isEmpty ? nil : wrong.joined(separator: "; "))
    }
}

/// A contender and its measured times, allocations, and a digest of the samples of each slice.
private final class Entrant {
    let contender: any Contender
    /// Durations of the counted slices, nanoseconds.
    private(set) var times: [Double] = []
    private(set) var allocations: UInt64 = 0
    /// Digest of the samples of each slice, `[slice]`; `missed` holds the calls without sound in time up to that slice.
    private var digests: [UInt64] = []
    private var missed: [Int] = []

    init(_ contender: any Contender, _ steps: Int) {
        self.contender = contender
        times.reserveCapacity(steps)
        digests.reserveCapacity(steps)
        missed.reserveCapacity(steps)
    }

    func step(_ index: Int, counts: Bool, _ output: Output, _ clock: Clock) {
        let known = bench_allocations()
        let start = prc_cycles()
        contender.step(index, into: output)
        let spent = clock.nanoseconds(prc_cycles() - start)
        allocations += bench_allocations() - known
        if counts { times.append(spent) }
        digests.append(output.digest)
        missed.append((contender as? ChainContender)?.missed ?? 0)
    }

    /// Returns the number of slices that differ from those of `other`, `delay` slices earlier. The ramps around a gap
    /// are 64 frames long, so the slices beside one do not count.
    func differing(from other: Entrant, by delay: Int) -> Int {
        (delay..<digests.count).filter { index in
            let isWhole = missed[max(0, index - 2)] == missed[min(missed.count - 1, index + 2)]
            return isWhole && digests[index] != other.digests[index - delay]
        }.count
    }
}

extension Output {
    /// FNV-1a hash of the samples' bits; different samples almost surely differ in it.
    var digest: UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for row in 0..<rowCount {
            for i in 0..<frames { digest = (digest ^ UInt64(self[row][i].bitPattern)) &* 0x100_0000_01B3 }
        }
        return digest
    }
}
