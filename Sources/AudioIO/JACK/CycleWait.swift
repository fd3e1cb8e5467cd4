import Glibc
import Synchronization

/// Waits until the audio thread no longer uses data that was replaced.
enum CycleWait {
    /// Waits until no cycle that began before the call can still run. Two further cycles guarantee that. Returns false
    /// after `milliseconds`. May be called on any thread except the audio threads.
    static func passes(_ cycles: borrowing Atomic<Int>, within milliseconds: Int) -> Bool {
        let seen = cycles.load(ordering: .acquiring)
        for _ in 0..<milliseconds {
            if cycles.load(ordering: .acquiring) >= seen + 2 { return true }
            usleep(1000)
        }
        return false
    }
}
