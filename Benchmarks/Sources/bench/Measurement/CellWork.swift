import CAllocations
import Foundation

/// A contender to be made when its cell's time comes.
struct Entry {
    let role: Role
    /// What its results are held to where that is not the cell's: another order of bins, say.
    let truth: (any Truth)?
    let make: () throws -> any Contender

    init(_ role: Role = .peer, truth: (any Truth)? = nil, _ make: @escaping () throws -> any Contender) {
        self.role = role
        self.truth = truth
        self.make = make
    }
}

/// What a cell is made of.
struct CellWork {
    let id: String
    let group: String
    let title: String
    var unit = "ns per frame and source"
    var facts: Facts
    /// Rows and frames of the results.
    var rows = 2
    let frames: Int
    /// Units of work in one step.
    let units: Double
    var entries: [Entry]
    /// Nil where results cannot be compared; the title or remarks say why.
    var truth: (any Truth)?
    var agreement = Agreement(warming: 0, compared: 1)
    var statistic = Interleaved.Statistic.medianStep
    /// 1: as long as other cells.
    var patience = 1.0
}

extension CellWork {
    /// Compares, measures, and says whether the figures count.
    func measure(_ bench: Bench) throws -> Cell {
        var facts = facts
        facts.truth = truth?.name ?? entries.lazy.compactMap(\.truth).first?.name
        let entries =
            bench.options.oursOnly || bench.options.lockstep != nil ? entries.filter { $0.role != .peer } : entries
        var contenders: [any Contender] = []
        var errors: [Double?] = []
        var bytes: [Int64] = []
        for entry in entries {
            let before = bench_bytes_in_use()
            let contender = try entry.make()
            bytes.append(bench_bytes_in_use() - before)
            contenders.append(contender)
            let exact = entry.role == .part ? nil : entry.truth ?? truth
            let output = Output(rows: rows, frames: frames)
            errors.append(exact.map { agreement.error(of: contender, with: $0, output: output) })
            if exact != nil, let folder = bench.options.results {
                try output.write(to: "\(folder)/\(id.replacing("/", with: "-"))-\(contender.name).f32")
            }
        }
        var clock = bench.interleaved
        clock.statistic = statistic
        clock.units = units
        clock.rounds = max(3, Int((Double(clock.rounds) * patience).rounded()))
        let firsts = errors.map { $0 == nil ? 0 : agreement.warming + agreement.compared }
        let output = Output(rows: rows, frames: frames)
        let times: [Times]
        if let lockstep = bench.options.lockstep {
            lockstep.announce(id, contenders.filter { $0.role == .ours }.map(\.name).sorted(), taps: facts.taps)
            times = clock.measure(contenders, from: firsts, output: output, with: lockstep)
        } else {
            times = clock.measure(contenders, from: firsts, output: output)
        }
        let figures = contenders.indices.map {
            clock.figures(contenders[$0], times[$0], errorDecibels: errors[$0], bytes: bytes[$0])
        }
        let wrong = figures.filter { ($0.errorDecibels ?? -300) > Agreement.limitDecibels }
        let void = wrong.map { "\($0.name) differs from the truth by \(Int(($0.errorDecibels ?? 0).rounded())) dB" }
        if !void.isEmpty { bench.options.lockstep?.void(void.joined(separator: "; ")) }
        return Cell(
            id: id, group: group, title: title, unit: unit, facts: facts, contenders: figures,
            void: void.isEmpty ? nil : void.joined(separator: "; "))
    }
}
