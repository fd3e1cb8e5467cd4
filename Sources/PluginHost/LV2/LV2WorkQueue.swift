import CLilv
import CPlugins
import CRealtime
import Glibc
import Inserts
import Signal
import Synchronization

/// Queues of a plugin's worker: requests from the audio thread, and answers to the audio thread.
///
/// The thread that holds the lock `desk` does the work. Usually this is the instance's own thread. Offline it is the
/// audio thread, so that renders are bit-identical. While a state is restored, it is the control side's thread. The
/// plugin's calls access the queue by pointer.
struct LV2WorkQueue: ~Copyable {
    /// Size of each queue, bytes, which also limits the length of a message. Observed messages have some tens of bytes;
    /// the longest contain the path of a file. Queues cannot grow during processing, so the size is a hundred times the
    /// observed need.
    static let capacity = 1 << 17

    /// Requests, from the audio thread to the working thread.
    let requests: MessageRing
    /// Answers, from the working thread to the audio thread.
    let responses: MessageRing
    /// Lock that the working thread holds.
    let desk = PluginGate()
    /// Start of the work in progress, ns of the monotonic clock; 0 without work.
    let since = Atomic<UInt64>(0)
    /// Number of requests and answers that were lost because a queue was full.
    let lost = Atomic<Int>(0)
    private let bell: UnsafeMutablePointer<sem_t>
    /// Callback through which the plugin answers; its handle is the queue.
    private let reply: LV2_Worker_Respond_Function
    /// Present message of the working thread (`work`) and of the audio thread (`answer`).
    private let work: UnsafeMutableRawPointer
    private let answer: UnsafeMutableRawPointer
    /// Worker functions and handle of the plugin; set once after it is created.
    private var plugin: UnsafePointer<LV2_Worker_Interface>?
    private var instance: LV2_Handle?

    /// Creates empty queues in an instance's memory.
    init(_ memory: LV2Memory, reply: @escaping LV2_Worker_Respond_Function) {
        self.reply = reply
        requests = memory.messages(Self.capacity)
        responses = memory.messages(Self.capacity)
        work = memory.bytes(Self.capacity)
        answer = memory.bytes(Self.capacity)
        let bell = memory.one(sem_t())
        sem_init(bell, 0, 0)
        memory.whenFreed { sem_destroy(bell) }
        self.bell = bell
    }

    /// Whether the plugin's functions are set.
    var isOpen: Bool { @_noLocks get { plugin != nil } }

    /// Sets the plugin's functions, once, before any work.
    mutating func open(_ plugin: UnsafePointer<LV2_Worker_Interface>, _ instance: LV2_Handle) {
        self.plugin = plugin
        self.instance = instance
    }

    // MARK: What the plugin calls

    /// Queues a request. Called on the audio thread while it runs the plugin.
    @_noLocks
    borrowing func schedule(_ message: UnsafeRawPointer?, count: Int) -> LV2_Worker_Status {
        guard requests.push(tag: 0, message, count: count) else {
            lost.add(1, ordering: .relaxed)
            return LV2_WORKER_ERR_NO_SPACE
        }
        prc_ring_bell(bell)
        return LV2_WORKER_SUCCESS
    }

    /// Queues an answer. Called only by the working thread.
    @_noLocks
    borrowing func respond(_ message: UnsafeRawPointer?, count: Int) -> LV2_Worker_Status {
        guard responses.push(tag: 0, message, count: count) else {
            lost.add(1, ordering: .relaxed)
            return LV2_WORKER_ERR_NO_SPACE
        }
        return LV2_WORKER_SUCCESS
    }

    // MARK: Work

    /// Does all waiting work. Returns false if there was none. Only for the thread that holds `desk`. `handle`: pointer
    /// to this queue.
    @_noLocks
    borrowing func workAll(_ handle: UnsafeMutableRawPointer) -> Bool {
        guard let plugin, let instance, !requests.isEmpty else { return false }
        while let (_, count) = requests.next() {
            requests.take(into: work)
            since.store(max(1, prc_monotonic_nanoseconds()), ordering: .relaxed)
            prc_lv2_work(plugin, instance, reply, handle, UInt32(truncatingIfNeeded: count), work)
            since.store(0, ordering: .relaxed)
        }
        return true
    }

    /// Does one piece of work immediately, without the queue. Only for the thread that holds `desk`.
    borrowing func workNow(
        _ message: UnsafeRawPointer?, count: Int, _ handle: UnsafeMutableRawPointer
    ) -> LV2_Worker_Status {
        guard let plugin, let instance else { return LV2_WORKER_ERR_UNKNOWN }
        since.store(max(1, prc_monotonic_nanoseconds()), ordering: .relaxed)
        defer { since.store(0, ordering: .relaxed) }
        return plugin.pointee.work(instance, reply, handle, UInt32(clamping: count), message)
    }

    /// Passes all answers to the plugin. Called on the audio thread after a run.
    @_noLocks
    borrowing func deliver() {
        guard let plugin, let instance else { return }
        while let (_, count) = responses.next() {
            responses.take(into: answer)
            prc_lv2_work_response(plugin, instance, UInt32(truncatingIfNeeded: count), answer)
        }
    }

    /// Notifies the plugin of the end of a call. Called on the audio thread.
    @_noLocks
    borrowing func endRun() {
        guard let plugin, let instance else { return }
        prc_lv2_end_run(plugin, instance)
    }

    /// Waits for work, at most a tenth of a second. Called on the instance's own thread.
    borrowing func rest() { prc_wait_for_bell(bell, 100) }
}
