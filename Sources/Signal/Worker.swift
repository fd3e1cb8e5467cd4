import CRealtime
import Dispatch
import Glibc
import Synchronization

/// Failure to create a thread.
package struct WorkerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Name of the thread, and the system's error number.
    package let name: String
    package let code: Int32

    /// Message with the cause and a remedy.
    package var description: String {
        "the system gives no thread for '\(name)' (\(String(cString: strerror(code)))): end other programs, or raise what this "
            + "one may have ('ulimit -u', or a service's TasksMax=)"
    }
}

/// Thread for work that neither the audio thread nor an actor may do: files, servers, meters.
///
/// Its body runs once, as a loop that rests between rounds, until `isEnding`. Data that only the body uses belongs to
/// the thread; after `join` has returned true, to the caller. Never called on the audio thread.
package final class Worker: Sendable {
    private let name: String
    private let alarm = DispatchSemaphore(value: 0)
    private let over = DispatchSemaphore(value: 0)
    private let ending = Atomic<Bool>(false)
    private let started = Atomic<Bool>(false)
    private let stackBytes: Int?

    /// Prepares a worker with a name of up to 15 bytes, as debuggers and `top -H` show it. `stackBytes`: size of its
    /// thread's stack; nil: the system's default.
    package init(name: String, stackBytes: Int? = nil) {
        self.name = name
        self.stackBytes = stackBytes
    }

    /// Starts the thread; once only.
    ///
    /// - Throws: if the system gives no thread; the body then never runs, and the worker counts as not started.
    package func start(_ body: @escaping @Sendable (Worker) -> Void) throws(WorkerError) {
        precondition(!started.exchange(true, ordering: .acquiringAndReleasing), "\(name) was started twice")
        let errand = Unmanaged.passRetained(Errand(worker: self, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Errand>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, errand.toOpaque())
        guard code == 0 else {
            errand.release()
            started.store(false, ordering: .releasing)
            throw WorkerError(name: name, code: code)
        }
    }

    /// Runs a piece of work on a thread of its own, without waiting for it.
    ///
    /// - Throws: if the system gives no thread; the work is then not done.
    package static func detach(_ name: String, _ work: @escaping @Sendable () -> Void) throws(WorkerError) {
        try Worker(name: name).start { _ in work() }
    }

    /// Whether the body is requested to end. Any thread.
    package var isEnding: Bool { ending.load(ordering: .acquiring) }

    /// Rests the body for `seconds`, 0…3600; `wake` and `end` cut the rest short. The body only.
    package func rest(_ seconds: Double) {
        guard !isEnding else { return }
        _ = alarm.wait(timeout: .now() + .nanoseconds(Int(max(0, min(3600, seconds)) * 1e9)))
    }

    /// Ends a rest early, or the next one. Any thread but the audio thread.
    package func wake() { alarm.signal() }

    /// Requests the body to end, and wakes it. Any thread but the audio thread.
    package func end() {
        ending.store(true, ordering: .releasing)
        wake()
    }

    /// Waits until the body has ended, `seconds` at most; returns true at once if it never began. Not on the worker.
    package func join(within seconds: Double) -> Bool {
        guard started.load(ordering: .acquiring) else { return true }
        guard over.wait(timeout: .now() + seconds) == .success else { return false }
        over.signal()
        return true
    }

    /// Requests the body to end and waits for that, `seconds` at most. If it returns false, a file or a server still
    /// blocks the body, whose data must not be touched. Not on the worker.
    package func stop(within seconds: Double = 5) -> Bool {
        end()
        return join(within: seconds)
    }

    /// Worker and body for the thread's start.
    private final class Errand {
        let worker: Worker
        let body: @Sendable (Worker) -> Void

        init(worker: Worker, body: @escaping @Sendable (Worker) -> Void) {
            self.worker = worker
            self.body = body
        }

        func run() {
            prc_name_thread(worker.name)
            body(worker)
            worker.over.signal()
        }
    }
}
