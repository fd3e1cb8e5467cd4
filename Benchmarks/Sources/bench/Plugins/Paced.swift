import Glibc

/// Runs work once per period, as an audio thread does: after a sleep, and with real-time priority where permitted.
enum Paced {
    /// Calls `body` with 0, 1, 2 … on this thread, once every `seconds`, until it returns false. Returns whether the
    /// system gave the thread a real-time priority (SCHED_FIFO 10); restores the thread's priority at the end.
    static func run(every seconds: Double, _ body: (Int) -> Bool) -> Bool {
        var policy: Int32 = 0
        var usual = sched_param()
        pthread_getschedparam(pthread_self(), &policy, &usual)
        var wanted = sched_param(sched_priority: 10)
        let isRealTime = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted) == 0
        var next = timespec()
        clock_gettime(CLOCK_MONOTONIC, &next)
        var period = 0
        while body(period) {
            period += 1
            next.tv_nsec += Int(seconds * 1e9)
            if next.tv_nsec >= 1_000_000_000 {
                next.tv_nsec -= 1_000_000_000
                next.tv_sec += 1
            }
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nil)
        }
        if isRealTime { pthread_setschedparam(pthread_self(), policy, &usual) }
        return isRealTime
    }

    /// Returns the priority as text for remarks.
    static func words(_ isRealTime: Bool) -> String { isRealTime ? "real-time priority" : "no real-time priority" }
}

extension Figures {
    /// Creates figures from single times in nanoseconds; the figure is their median, or another quantile, in `unit`
    /// nanoseconds.
    init(
        _ name: String, _ role: Role, _ times: [Double], unit: Double, share: Double = 0.5, remark: String = "",
        allocations: UInt64 = 0, bytes: Int64 = 0, errorDecibels: Double? = nil
    ) {
        let sorted = times.sorted()
        func part(_ share: Double) -> Double {
            sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
        }
        self.init(
            name: name, role: role, remark: remark, value: part(share) / unit, lowerQuartile: part(0.25) / unit,
            medianMicroseconds: part(0.5) / 1000, p99Microseconds: part(0.99) / 1000,
            longestMicroseconds: part(1) / 1000, cycle: nil, processorShare: 1, steps: sorted.count,
            allocations: allocations, bytes: bytes, errorDecibels: errorDecibels)
    }
}
