import Glibc
import Synchronization

/// Waits until the audio thread no longer uses replaced data.
enum CycleWait {
    /// Waits until no cycle that began before the call can still run, which two further cycles guarantee. Returns false
    /// after `milliseconds`. Any thread but the audio threads.
    static func passes(_ cycles: borrowing Atomic<Int>, within milliseconds: Int) -> Bool {
        let seen = cycles.load(ordering: .acquiring)
        for _ in 0..<milliseconds {
            if cycles.load(ordering: .acquiring) >= seen + 2 { return true }
            usleep(1000)
        }
        return false
    }
}
