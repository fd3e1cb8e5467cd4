import AudioIO
import CRealtime
import Foundation

/// One stage that sleeps until each of its periods begins, as a JACK client does: how late it wakes, and when it is
/// ready.
package struct WokenStage: Codable, Sendable, Hashable {
    /// The stage's name.
    package let stage: String
    /// Period and slice.
    package let setting: CapacityCell.Setting
    /// From the moment a period begins until the thread runs, shares of the period.
    package let late: PeriodTimes
    /// From there until the ears are ready, shares of the period.
    package let ready: PeriodTimes
    /// Periods whose ears were not ready before the next one began.
    package let missed: Int

    /// What was measured: nanoseconds after each period's beginning at which the thread ran and was ready.
    init(stage: String, setting: CapacityCell.Setting, sampleRate: Double, late: [Int32], ready: [Int32]) {
        let lasting = Double(setting.period) / sampleRate
        self.stage = stage
        self.setting = setting
        self.late = PeriodTimes(nanoseconds: late, lasting: lasting)
        self.ready = PeriodTimes(nanoseconds: ready, lasting: lasting)
        missed = ready.count { Double($0) > lasting * 1e9 }
    }

    /// Whether at most one period in a thousand was missed; one alone may be of another's making.
    package var holds: Bool { missed <= max(1, ready.count / 1000) }

    /// Runs a stage for so many seconds, one period at least; on the thread to be measured.
    ///
    /// - Parameter progress: told the share done about ten times a second; answers false to stop.
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
            // Periods that went by are lost; the next one to begin is the next one to render.
            if done > due + period { due += ((done - due) / period).rounded(.down) * period }
            if due - told > 1e8 {
                told = due
                guard progress(Double(ready.count) / Double(count)) else { return nil }
            }
        }
        return WokenStage(stage: stage, setting: setting, sampleRate: sampleRate, late: late, ready: ready)
    }
}
