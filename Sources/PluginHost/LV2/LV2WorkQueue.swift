import CLilv
import CPlugins
import CRealtime
import Glibc
import Inserts
import Signal
import Synchronization

/// The work a plugin does beside sounding: pieces it asked for on the audio thread, and the answers on their way back.
///
/// The thread in `desk` does the work: the instance's own thread; offline the audio thread itself, so that renders
/// repeat bit for bit; or the control side while it restores a state. Reached by pointer from the plugin's calls.
struct LV2WorkQueue: ~Copyable {
    /// Bytes of each queue, and so nearly of the longest message. Messages seen have some tens of bytes, the path of a
    /// file the most; queues cannot grow while sounding, so this is a hundred times what is known.
    static let capacity = 1 << 17

    /// Pieces of work, from the audio thread to the thread that does them.
    let requests: MessageRing
    /// Answers, from the working thread to the audio thread.
    let responses: MessageRing
    /// Entered while working.
    let desk = PluginGate()
    /// Since when the work under way is done, in nanoseconds of the monotonic clock; 0: none is.
    let since = Atomic<UInt64>(0)
    /// Pieces and answers that found a queue full.
    let lost = Atomic<Int>(0)
    private let bell: UnsafeMutablePointer<sem_t>
    /// What the plugin answers through; the handle is the queue.
    private let reply: LV2_Worker_Respond_Function
    /// The message at hand: of the working thread, and of the audio thread.
    private let work: UnsafeMutableRawPointer
    private let answer: UnsafeMutableRawPointer
    /// The plugin's own; known once it was made.
    private var plugin: UnsafePointer<LV2_Worker_Interface>?
    private var instance: LV2_Handle?

    /// Empty queues in an instance's memory.
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

    /// Whether there is an instance to work for.
    var isOpen: Bool { @_noLocks get { plugin != nil } }

    /// Takes the plugin's own functions, once, before any work is done.
    mutating func open(_ plugin: UnsafePointer<LV2_Worker_Interface>, _ instance: LV2_Handle) {
        self.plugin = plugin
        self.instance = instance
    }

    // MARK: What the plugin calls

    /// Queues a piece of work. The audio thread, while it runs the plugin.
    @_noLocks
    borrowing func schedule(_ message: UnsafeRawPointer?, count: Int) -> LV2_Worker_Status {
        guard requests.push(tag: 0, message, count: count) else {
            lost.add(1, ordering: .relaxed)
            return LV2_WORKER_ERR_NO_SPACE
        }
        prc_ring_bell(bell)
        return LV2_WORKER_SUCCESS
    }

    /// Queues an answer. The working thread only.
    @_noLocks
    borrowing func respond(_ message: UnsafeRawPointer?, count: Int) -> LV2_Worker_Status {
        guard responses.push(tag: 0, message, count: count) else {
            lost.add(1, ordering: .relaxed)
            return LV2_WORKER_ERR_NO_SPACE
        }
        return LV2_WORKER_SUCCESS
    }

    // MARK: Work

    /// Does all the work that waits; false where there was none. The thread in `desk` only; `handle`: this
    /// queue.
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

    /// Does one piece at once that never was in a queue. The thread in `desk` only.
    borrowing func workNow(
        _ message: UnsafeRawPointer?, count: Int, _ handle: UnsafeMutableRawPointer
    ) -> LV2_Worker_Status {
        guard let plugin, let instance else { return LV2_WORKER_ERR_UNKNOWN }
        since.store(max(1, prc_monotonic_nanoseconds()), ordering: .relaxed)
        defer { since.store(0, ordering: .relaxed) }
        return plugin.pointee.work(instance, reply, handle, UInt32(clamping: count), message)
    }

    /// Hands the plugin all answers there are. The audio thread, after a run.
    @_noLocks
    borrowing func deliver() {
        guard let plugin, let instance else { return }
        while let (_, count) = responses.next() {
            responses.take(into: answer)
            prc_lv2_work_response(plugin, instance, UInt32(truncatingIfNeeded: count), answer)
        }
    }

    /// Tells the plugin that a call is over. The audio thread.
    @_noLocks
    borrowing func endRun() {
        guard let plugin, let instance else { return }
        prc_lv2_end_run(plugin, instance)
    }

    /// Rests until there may be work, a tenth of a second at most. The instance's own thread.
    borrowing func rest() { prc_wait_for_bell(bell, 100) }
}
