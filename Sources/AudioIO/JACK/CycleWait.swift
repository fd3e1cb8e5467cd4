import Glibc
import Synchronization

/// Waiting for the audio thread to be done with what it was given before.
enum CycleWait {
    /// Waits until no cycle that began before now can still run: two cycles on, none can. False: not within so many
    /// milliseconds. Any thread but the audio threads.
    static func passes(_ cycles: borrowing Atomic<Int>, within milliseconds: Int) -> Bool {
        let seen = cycles.load(ordering: .acquiring)
        for _ in 0..<milliseconds {
            if cycles.load(ordering: .acquiring) >= seen + 2 { return true }
            usleep(1000)
        }
        return false
    }
}
