import AudioIO
import CRealtime
import Foundation

/// Measurement of a stage (a rendered layout) on a thread that sleeps until each period begins, as a JACK client's
/// thread does: the wake-up delays, and the times at which the output is ready.
package struct WokenStage: Codable, Sendable, Hashable {
    /// The stage's name.
    package let stage: String
    /// Period and slice.
    package let setting: CapacityCell.Setting
    /// Delay from the beginning of a period until the thread runs, shares of the period.
    package let late: PeriodTimes
    /// Time from the beginning of a period until the output of both ears is ready, shares of the period.
    package let ready: PeriodTimes
    /// Number of rendered periods whose output was not ready before the next period began.
    package let missed: Int

    /// Computes the statistics. `late` and `ready` are times after the beginning of each period, ns: until the thread
    /// ran, and until the output was ready.
    init(stage: String, setting: CapacityCell.Setting, sampleRate: Double, late: [Int32], ready: [Int32]) {
        let lasting = Double(setting.period) / sampleRate
        self.stage = stage
        self.setting = setting
        self.late = PeriodTimes(nanoseconds: late, lasting: lasting)
        self.ready = PeriodTimes(nanoseconds: ready, lasting: lasting)
        missed = ready.count { Double($0) > lasting * 1e9 }
    }

    /// Whether at most one period in a thousand was missed. A single missed period is tolerated: another program may
    /// cause it.
    package var holds: Bool { missed <= max(1, ready.count / 1000) }

    /// Runs a stage for `seconds`, one period at least; on the thread to be measured.
    ///
    /// - Parameter progress: receives the share done about ten times a second; returns false to stop.
    /// - Returns: nil if stopped.
    static func run(
        _ driver: TimedDriver, stage: String, setting: CapacityCell.Setting, sampleRate: Double, seconds: Double,
        progress: (Double) -> Bool
    ) -> WokenStage? {
        let period = Double(setting.period) / sampleRate * 1e9
        let count = max(1, Int(seconds * 1e9 / period))
        var (late, ready): ([Int32], [Int32]) = ([], [])
        late.reserveCapacity(count)
        ready.reserveCapacity(count)
        for _ in 0..<8 { _ = driver.renderPeriod() }  // Touches every page.
        let begun = prc_monotonic_nanoseconds()
        var due = 0.0
        var told = 0.0
        while ready.count < count {
            due += period
            let moment = begun + UInt64(due)
            var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
            while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
            late.append(Int32(clamping: Int(prc_monotonic_nanoseconds() - moment)))
            _ = driver.renderPeriod()
            let done = Double(prc_monotonic_nanoseconds() - begun)
            ready.append(Int32(clamping: Int(done - due)))
            // Skips the periods that have passed; the next to begin is rendered next.
            if done > due + period { due += ((done - due) / period).rounded(.down) * period }
            if due - told > 1e8 {
                told = due
                guard progress(Double(ready.count) / Double(count)) else { return nil }
            }
        }
        return WokenStage(stage: stage, setting: setting, sampleRate: sampleRate, late: late, ready: ready)
    }
}
