import Foundation

/// Load of the machine between two moments: processor time of other programs, and time taken by the host of a virtual
/// machine.
package struct MachineLoad: Codable, Sendable, Hashable {
    /// Share of all processors' time used by other programs, 0…1.
    package let others: Double
    /// Share of all processors' time that the host of a virtual machine took, 0…1.
    package let stolen: Double

    /// Counters of processor time at one moment, s.
    package struct Snapshot: Sendable, Hashable {
        /// Sums over all processors: all time, busy time, and time taken by the host; and this program's busy time.
        var total: Double, busy: Double, stolen: Double, own: Double

        /// Parses the first line of `/proc/stat`, in ticks (proc(5): user, nice, system, idle, iowait, irq, softirq,
        /// steal; guests count as user). Nil for other text.
        init?(statistics: String, ticksPerSecond: Double, own: Double) {
            let words = statistics.prefix { $0 != "\n" }.split(separator: " ")
            let ticks = words.dropFirst().compactMap { Double($0) }
            guard words.first == "cpu", ticks.count >= 8 else { return nil }
            total = ticks[..<8].reduce(0, +) / ticksPerSecond
            busy = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / ticksPerSecond
            stolen = ticks[7] / ticksPerSecond
            self.own = own
        }

        /// Reads the counters now; nil without `/proc/stat`.
        package static func now() -> Snapshot? {
            guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
            var usage = rusage()
            getrusage(RUSAGE_SELF.rawValue, &usage)
            func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
            return Snapshot(
                statistics: text, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))),
                own: seconds(usage.ru_utime) + seconds(usage.ru_stime))
        }
    }

    /// Computes the load between two snapshots; nil unless time passed between them.
    package init?(from: Snapshot, to: Snapshot) {
        let total = to.total - from.total
        guard total > 0 else { return nil }
        others = min(1, max(0, (to.busy - from.busy - (to.own - from.own)) / total))
        stolen = min(1, max(0, (to.stolen - from.stolen) / total))
    }

    /// Whether other programs used more than 10 % of the machine, or its host took more than 1 %.
    package var disturbs: Bool { others > 0.1 || stolen > 0.01 }
}
