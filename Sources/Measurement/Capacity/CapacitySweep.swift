import AudioIO
import CRealtime

/// Measures many stages (rendered layouts) in turns, one period of each after the other. Disturbances by other programs
/// are thus spread over all stages. Each stage finds caches that others have used, as a JACK client does.
struct CapacitySweep {
    /// A stage ready to render, and the rendering times of its periods, ns.
    struct Entry {
        let trial: CapacityTrial
        let driver: TimedDriver
        var times: [Int32] = []

        /// The stage is rendered only in every n-th round, where n is this value. Otherwise long periods would take
        /// most of the time.
        var turn: Int { max(1, trial.setting.period / 256) }
    }
    private var entries: [Entry] = []
    private let sampleRate: Double
    private let warmUpRounds: Int

    /// Prepares a sweep; `sampleRate` in hertz.
    init(_ entries: [Entry], sampleRate: Double) {
        self.entries = entries
        self.sampleRate = sampleRate
        // Warm-up rounds are not counted. They contain the first access to pages, cold caches and branch predictors,
        // and the fade-in of a room (0.1 s).
        let fadeIn = Int(0.15 * sampleRate)
        warmUpRounds = entries.filter { $0.trial.room != nil }.map { fadeIn / $0.trial.setting.period }.max() ?? 20
    }

    /// Measures for `seconds`, one counted round at least; on the thread to be measured.
    ///
    /// - Parameter progress: called between rounds with the share done; returns false to stop.
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
            // Rests for at least a fifth of the time: the kernel throttles real-time threads that use more than 95 % of
            // it (sched(7), sched_rt_runtime_us), and other programs need the processor.
            prc_sleep_microseconds(UInt32(max(200, (elapsed() - start) * 0.25e6)))
            guard progress(min(1, elapsed() / seconds)) else { return nil }
        }
        return entries.map { $0.trial.cell($0.times, sampleRate: sampleRate) }
    }
}
