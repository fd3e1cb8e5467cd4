import Foundation

/// Load of the machine by other work, read before and after a run.
struct Disturbance {
    private let steal: Double
    private let total: Double
    let load: Double

    init() {
        let line = try? String(contentsOfFile: "/proc/stat", encoding: .utf8).split(separator: "\n").first
        // The fields: cpu user nice system idle iowait irq softirq steal …, in ticks of all processors.
        let ticks = (line ?? "").split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        steal = ticks.count > 7 ? ticks[7] : 0
        total = ticks.reduce(0, +)
        let average = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8).split(separator: " ").first
        load = average.flatMap { Double($0) } ?? .nan
    }

    /// Returns the share of the processors' time that the hypervisor gave to other machines since an earlier reading.
    func stealShare(since earlier: Disturbance) -> Double {
        total > earlier.total ? (steal - earlier.steal) / (total - earlier.total) : 0
    }
}
