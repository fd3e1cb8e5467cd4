import CLilv
import CPlugins
import CRealtime
import Glibc
import Inserts
import Signal
import Synchronization

/// Worker thread of an instance, and the features with which the plugin requests work.
///
/// The pointers refer to the instance's memory. This memory is freed only after `stop` has confirmed the end of the
/// thread.
final class LV2Worker {
    /// Queues of requests and answers.
    let queue: UnsafeMutablePointer<LV2WorkQueue>
    /// Feature with which the plugin requests work on the audio thread.
    let schedule: UnsafeMutablePointer<LV2_Worker_Schedule>
    /// The same feature, for restoring while the plugin runs: work is done immediately, and answers arrive on the audio
    /// thread.
    let restoring: UnsafeMutablePointer<LV2_Worker_Schedule>
    private var thread: Worker?

    /// Creates a worker without a thread.
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

    /// Starts the thread for an instance with a worker.
    ///
    /// - Throws: if the system provides no thread.
    func start(_ plugin: UnsafePointer<LV2_Worker_Interface>, _ instance: LV2_Handle) throws(WorkerError) {
        queue.pointee.open(plugin, instance)
        let thread = Worker(name: "plugin-work")
        self.thread = thread
        // From here on only the message queues, the lock `desk` and the atomic values of the queue are used.
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

    /// Seconds that the present work has taken; 0 without work.
    var seconds: Double {
        let since = queue.pointee.since.load(ordering: .relaxed)
        return since == 0 ? 0 : Double(prc_monotonic_nanoseconds() &- since) / 1e9
    }

    /// Stops the thread. Returns false if its work does not return in time.
    func stop(within seconds: Double) -> Bool { thread?.stop(within: seconds) ?? true }
}
