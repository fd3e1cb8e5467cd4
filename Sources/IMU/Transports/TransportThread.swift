import CDevices
import Foundation
import Signal
import Synchronization

/// A transport's own thread. It waits for a descriptor and can be woken to send or to stop.
final class TransportThread: Sendable {
    private let name: String
    private let wake: Int32
    private let outgoing = Mutex<[[UInt8]]>([])
    private let isStopping = Atomic<Bool>(false)
    private let ended = DispatchSemaphore(value: 0)
    private let started = Atomic<Bool>(false)

    /// Creates a thread that does not run yet.
    init(name: String) {
        self.name = name
        wake = pcd_signal_open()
    }

    deinit { if wake >= 0 { pcd_close(wake) } }

    /// Whether the thread must end.
    var isEnding: Bool { isStopping.load(ordering: .acquiring) }

    /// Runs `body`, which must return soon after `isEnding` has become true.
    ///
    /// - Throws: `noThread`; the state is then as before the call.
    func start(_ body: @escaping @Sendable () -> Void) throws(TrackerError) {
        started.store(true, ordering: .releasing)
        do throws(WorkerError) {
            try Worker.detach(name) { [self] in
                body()
                ended.signal()
            }
        } catch {
            started.store(false, ordering: .releasing)
            throw .noThread(error.description)
        }
    }

    /// Waits until `descriptor` is readable, the thread is woken, or `milliseconds` have passed (−1: no limit). Returns
    /// whether the descriptor is readable. A negative descriptor is not waited for.
    func wait(for descriptor: Int32, milliseconds: Int32 = -1) -> Bool {
        let found = pcd_wait(descriptor, wake, milliseconds)
        guard found > 0 else { return false }
        if found & 2 != 0 { pcd_signal_clear(wake) }
        return found & 1 != 0
    }

    /// Queues messages for the thread; the queue keeps the newest 64.
    func send(_ messages: [[UInt8]]) {
        outgoing.withLock {
            $0 += messages
            if $0.count > 64 { $0.removeFirst($0.count - 64) }
        }
        pcd_signal_raise(wake)
    }

    /// Returns and clears the queued messages.
    func takeOutgoing() -> [[UInt8]] {
        outgoing.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    /// Ends the thread and waits until it has ended, without blocking the caller's executor.
    func stop() async {
        isStopping.store(true, ordering: .releasing)
        guard started.exchange(false, ordering: .acquiringAndReleasing) else { return }
        pcd_signal_raise(wake)
        await Worker.apart("tracker end") { [self] in ended.wait() }
    }
}
