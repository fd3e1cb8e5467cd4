import CRealtime
import Foundation

/// Clock for short times: the processor's time-stamp counter, calibrated with the monotonic clock.
struct Clock {
    /// Period of a count, nanoseconds.
    let period: Double

    init() {
        var best = (uncertainty: UInt64.max, period: 1.0)
        for _ in 0..<5 {
            let (start, counts) = (prc_monotonic_nanoseconds(), prc_cycles())
            while prc_monotonic_nanoseconds() - start < 2_000_000 {}
            let before = prc_monotonic_nanoseconds()
            let moreCounts = prc_cycles()
            let after = prc_monotonic_nanoseconds()
            if after - before < best.uncertainty {
                best = (after - before, Double(before - start) / Double(moreCounts - counts))
            }
        }
        period = best.period
    }

    /// Converts a difference of two readings of `prc_cycles` to nanoseconds.
    func nanoseconds(_ counts: UInt64) -> Double { Double(counts) * period }

    /// Returns the processor time of all threads of this process, nanoseconds.
    static func processorNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
