import CRealtime
import Dispatch
import Glibc
import Synchronization

/// Error: the system did not create a thread.
package struct WorkerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Name of the thread.
    package let name: String
    /// The system's error number.
    package let code: Int32

    /// Message with the cause and a remedy.
    package var description: String {
        "the system provides no thread for '\(name)' (\(String(cString: strerror(code)))): end other programs, or raise "
            + "the limit of threads ('ulimit -u', or a service's TasksMax=)"
    }
}

/// Thread for work that neither the audio thread nor an actor may do, such as work on files, servers and meters.
///
/// Its body runs once. In general it is a loop that rests between rounds, until `isEnding`. Data that only the body
/// uses belongs to the thread. After `join` has returned true, it belongs to the caller. The audio thread must call no
/// method.
package final class Worker: Sendable {
    private let name: String
    private let alarm = DispatchSemaphore(value: 0)
    private let over = DispatchSemaphore(value: 0)
    private let ending = Atomic<Bool>(false)
    private let started = Atomic<Bool>(false)
    private let stackBytes: Int?

    /// Prepares a worker. Debuggers and `top -H` show the first 15 bytes of its name. `stackBytes` is the size of its
    /// thread's stack; nil uses the system's default.
    package init(name: String, stackBytes: Int? = nil) {
        self.name = name
        self.stackBytes = stackBytes
    }

    /// Starts the thread. Must be called only once.
    ///
    /// - Throws: an error if the system provides no thread. The body then never runs, and the worker counts as not
    ///   started.
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

    /// Runs a piece of work on a thread of its own. Does not wait for it.
    ///
    /// - Throws: an error if the system provides no thread. The work is then not done.
    package static func detach(_ name: String, _ work: @escaping @Sendable () -> Void) throws(WorkerError) {
        try Worker(name: name).start { _ in work() }
    }

    /// Whether the body has been requested to end. May be read on any thread.
    package var isEnding: Bool { ending.load(ordering: .acquiring) }

    /// Rests the body for `seconds`, 0…3600. `wake` and `end` end the rest early. Only the body may call it.
    package func rest(_ seconds: Double) {
        guard !isEnding else { return }
        _ = alarm.wait(timeout: .now() + .nanoseconds(Int(max(0, min(3600, seconds)) * 1e9)))
    }

    /// Ends the present rest early, or the next one if the body does not rest now. May be called on any thread except
    /// the audio thread.
    package func wake() { alarm.signal() }

    /// Requests the body to end, and wakes it. May be called on any thread except the audio thread.
    package func end() {
        ending.store(true, ordering: .releasing)
        wake()
    }

    /// Waits until the body has ended, for at most `seconds`. Returns whether it has ended; true immediately if it was
    /// never started. May be called on any thread except the worker's own.
    package func join(within seconds: Double) -> Bool {
        guard started.load(ordering: .acquiring) else { return true }
        guard over.wait(timeout: .now() + seconds) == .success else { return false }
        over.signal()
        return true
    }

    /// Requests the body to end, and waits for at most `seconds`. A result of false means that the body is still
    /// blocked, for example by a file or a server; its data must not be touched. May be called on any thread except the
    /// worker's own.
    package func stop(within seconds: Double = 5) -> Bool {
        end()
        return join(within: seconds)
    }

    /// Worker and body, passed to the new thread.
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
