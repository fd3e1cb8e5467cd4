import Foundation

/// What the machine's processors did between two moments: for others, and taken away by its host.
package struct MachineLoad: Codable, Sendable, Hashable {
    /// Share of all processors' time that went to other programs, 0…1.
    package let others: Double
    /// Share that the host of a virtual machine took away, 0…1.
    package let stolen: Double

    /// Counters at one moment, in seconds since the start.
    package struct Snapshot: Sendable, Hashable {
        /// All processors together: everything, work of any kind, what the host took; and this program's share of the
        /// work.
        var total: Double, busy: Double, stolen: Double, own: Double

        /// From the first line of `/proc/stat` (proc(5): user, nice, system, idle, iowait, irq, softirq, steal; guests
        /// count as user) in ticks; nil for another text.
        init?(statistics: String, ticksPerSecond: Double, own: Double) {
            let words = statistics.prefix { $0 != "\n" }.split(separator: " ")
            let ticks = words.dropFirst().compactMap { Double($0) }
            guard words.first == "cpu", ticks.count >= 8 else { return nil }
            total = ticks[..<8].reduce(0, +) / ticksPerSecond
            busy = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / ticksPerSecond
            stolen = ticks[7] / ticksPerSecond
            self.own = own
        }

        /// Now; nil where the system does not say.
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

    /// What went on between two moments; nil if no time went by.
    package init?(from: Snapshot, to: Snapshot) {
        let total = to.total - from.total
        guard total > 0 else { return nil }
        others = min(1, max(0, (to.busy - from.busy - (to.own - from.own)) / total))
        stolen = min(1, max(0, (to.stolen - from.stolen) / total))
    }

    /// Whether the longest times measured meanwhile may be another program's work.
    package var disturbs: Bool { others > 0.1 || stolen > 0.01 }
}
