import CAllocations
import Foundation

/// A contender, created only for the measurement of its cell.
struct Entry {
    let role: Role
    /// Reference for its results where it differs from the cell's, for example by the order of bins; nil: the cell's.
    let truth: (any Truth)?
    let make: () throws -> any Contender

    init(_ role: Role = .peer, truth: (any Truth)? = nil, _ make: @escaping () throws -> any Contender) {
        self.role = role
        self.truth = truth
        self.make = make
    }
}

/// Definition of a cell.
struct CellWork {
    let id: String
    let group: String
    let title: String
    var unit = "ns per frame and source"
    var facts: Facts
    /// Number of rows of the results.
    var rows = 2
    let frames: Int
    /// Units of work in one step.
    let units: Double
    var entries: [Entry]
    /// Reference for the results; nil where they cannot be compared: the title or remarks give the reason.
    var truth: (any Truth)?
    var agreement = Agreement(warming: 0, compared: 1)
    var statistic = Interleaved.Statistic.medianStep
    /// Duration of the measurement relative to other cells.
    var patience = 1.0
}

extension CellWork {
    /// Compares the results, measures, and marks the figures as void where the results disagree.
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
