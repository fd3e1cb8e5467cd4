import AudioIO
import CRealtime

/// Measures many stages by turns, one period of each after the other: whatever else the machine does meets all of them
/// alike, and each finds the caches as others left them, as a client does on a live machine.
struct CapacitySweep {
    /// A stage ready to render, and the nanoseconds its periods took.
    struct Entry {
        let trial: CapacityTrial
        let driver: TimedDriver
        var times: [Int32] = []

        /// Takes part in every so many rounds: long periods are rare events, and would take most of the time.
        var turn: Int { max(1, trial.setting.period / 256) }
    }
    private var entries: [Entry] = []
    private let sampleRate: Double
    private let warmUpRounds: Int

    /// A sweep over stages that play at a rate in hertz.
    init(_ entries: [Entry], sampleRate: Double) {
        self.entries = entries
        self.sampleRate = sampleRate
        // Not counted: pages touched for the first time, caches and predictors that learn, a room that fades in (0.1
        // s).
        let fadeIn = Int(0.15 * sampleRate)
        warmUpRounds = entries.filter { $0.trial.room != nil }.map { fadeIn / $0.trial.setting.period }.max() ?? 20
    }

    /// Measures for so many seconds, one counted round at least; on the thread to be measured.
    ///
    /// - Parameter progress: told the share done between rounds; answers false to stop.
    /// - Returns: nil if stopped.
    mutating func run(seconds: Double, progress: (Double) -> Bool) -> [CapacityCell]? {
        let begun = prc_monotonic_nanoseconds()
        func elapsed() -> Double { Double(prc_monotonic_nanoseconds() - begun) * 1e-9 }
        var round = 0
        while round <= warmUpRounds || elapsed() < seconds {
            let start = elapsed()
            for index in entries.indices where round.isMultiple(of: entries[index].turn) || round == warmUpRounds {
                let taken = entries[index].driver.renderPeriod()
                if round >= warmUpRounds { entries[index].times.append(Int32(clamping: taken)) }
            }
            round += 1
            // Rests for a fifth of the time: real-time threads that take all of it are stopped by the system
            // (sched(7), sched_rt_runtime_us: 95 %), and others want the processor too.
            prc_sleep_microseconds(UInt32(max(200, (elapsed() - start) * 0.25e6)))
            guard progress(min(1, elapsed() / seconds)) else { return nil }
        }
        return entries.map { $0.trial.cell($0.times, sampleRate: sampleRate) }
    }
}
