import CRealtime
import Foundation

/// Prints to standard error the running cell, its figures and the estimated time left.
struct Progress {
    private let total: Int
    private var done = 0
    private let start = prc_monotonic_nanoseconds()

    init(total: Int) { self.total = total }

    /// Time since the start of the run, seconds.
    var seconds: Double { Double(prc_monotonic_nanoseconds() - start) / 1e9 }

    mutating func begin(_ id: String) {
        var left = ""
        if done > 0 {
            let rest = Int(seconds / Double(done) * Double(total - done))
            left = rest < 90 ? ", \(rest) s left" : ", \((rest + 30) / 60) min left"
        }
        say("[\(done + 1)/\(total)\(left)] \(id)")
        done += 1
    }

    func end(_ cell: Cell) {
        for figure in cell.contenders {
            let value = String(format: "%10.2f", figure.value)
            let error = figure.errorDecibels.map { String(format: "  %.0f dB", $0) } ?? ""
            let allocations = figure.allocations > 0 ? "  \(figure.allocations) allocations" : ""
            say("    \(value)  \(figure.name)\(error)\(allocations)")
        }
        if let void = cell.void { say("    VOID: \(void)") }
    }

    func skip(_ reason: String) { say("    not measured: \(reason)") }

    private func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
