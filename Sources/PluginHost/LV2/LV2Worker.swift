import CLilv
import CPlugins
import CRealtime
import Glibc
import Inserts
import Signal
import Synchronization

/// The thread that does an instance's work, and what the plugin asks for it with.
///
/// The pointers lead to the instance's memory, which outlives the thread: it is freed only after `stop` found it ended.
final class LV2Worker {
    /// The work and its answers.
    let queue: UnsafeMutablePointer<LV2WorkQueue>
    /// What the plugin asks for work with, on the audio thread.
    let schedule: UnsafeMutablePointer<LV2_Worker_Schedule>
    /// The same for a state that is taken back while the plugin sounds: done at once, the answers on the audio thread.
    let restoring: UnsafeMutablePointer<LV2_Worker_Schedule>
    private var thread: Worker?

    /// No work, no thread yet.
    init(_ memory: LV2Memory) {
        queue = memory.one(
            LV2WorkQueue(memory) { handle, count, message in
                guard let handle else { return LV2_WORKER_ERR_UNKNOWN }
                return handle.assumingMemoryBound(to: LV2WorkQueue.self).pointee.respond(message, count: Int(count))
            })
        schedule = memory.one(
            LV2_Worker_Schedule(handle: queue) { handle, count, message in
                guard let handle else { return LV2_WORKER_ERR_UNKNOWN }
                return handle.assumingMemoryBound(to: LV2WorkQueue.self).pointee.schedule(message, count: Int(count))
            })
        restoring = memory.one(
            LV2_Worker_Schedule(handle: queue) { handle, count, message in
                guard let handle else { return LV2_WORKER_ERR_UNKNOWN }
                let queue = handle.assumingMemoryBound(to: LV2WorkQueue.self)
                return queue.pointee.workNow(message, count: Int(count), handle)
            })
    }

    /// Begins to work for an instance that has work to be done.
    ///
    /// - Throws: where the system gives no thread for it.
    func start(_ plugin: UnsafePointer<LV2_Worker_Interface>, _ instance: LV2_Handle) throws(WorkerError) {
        queue.pointee.open(plugin, instance)
        let thread = Worker(name: "plugin-work")
        self.thread = thread
        // From here on the queue is used through its rings, its desk and its atomics.
        let queue = ThreadOwned(at: queue)
        try thread.start { thread in
            while !thread.isEnding {
                var hasWorked = false
                if queue.pointee.desk.tryEnter() {
                    hasWorked = queue.pointee.workAll(queue.pointer)
                    queue.pointee.desk.leave()
                }
                if !hasWorked { queue.pointee.rest() }
            }
        }
    }

    /// Seconds for which it has been at one piece of work; 0: it rests.
    var seconds: Double {
        let since = queue.pointee.since.load(ordering: .relaxed)
        return since == 0 ? 0 : Double(prc_monotonic_nanoseconds() &- since) / 1e9
    }

    /// Ends the thread; false where its work does not return.
    func stop(within seconds: Double) -> Bool { thread?.stop(within: seconds) ?? true }
}
