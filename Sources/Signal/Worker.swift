import CRealtime
import Dispatch
import Glibc
import Synchronization

/// A thread of its own for work that neither the audio thread nor an actor may do: files, servers, meters.
///
/// Its body runs once and goes through its work again and again, resting in between, until `isEnding`. What the body
/// alone touches is the thread's; a body that is found to have ended has left it behind. Never the audio thread's to
/// call.
package final class Worker: Sendable {
    private let name: String
    private let alarm = DispatchSemaphore(value: 0)
    private let over = DispatchSemaphore(value: 0)
    private let ending = Atomic<Bool>(false)
    private let started = Atomic<Bool>(false)

    /// A worker that does not run yet, by a name of up to 15 bytes that debuggers and `top -H` show.
    package init(name: String) { self.name = name }

    /// Starts the thread; once only. Ends the program where the system gives no thread, which no caller could mend.
    package func start(_ body: @escaping @Sendable (Worker) -> Void) {
        precondition(!started.exchange(true, ordering: .acquiringAndReleasing), "\(name) was started twice")
        let errand = Unmanaged.passRetained(Errand(worker: self, body: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Errand>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, errand.toOpaque())
        precondition(code == 0, "the system gives no thread for \(name): \(String(cString: strerror(code)))")
        pthread_detach(thread)
    }

    /// Whether the body is asked to end. Any thread.
    package var isEnding: Bool { ending.load(ordering: .acquiring) }

    /// Rests the body for so many seconds, 0…3600; shorter where it is woken or asked to end. The body only.
    package func rest(_ seconds: Double) {
        guard !isEnding else { return }
        _ = alarm.wait(timeout: .now() + .nanoseconds(Int(max(0, min(3600, seconds)) * 1e9)))
    }

    /// Ends a rest early, or the next one. Any thread but the audio thread.
    package func wake() { alarm.signal() }

    /// Asks the body to end, and wakes it. Any thread but the audio thread.
    package func end() {
        ending.store(true, ordering: .releasing)
        wake()
    }

    /// Waits until the body has ended, `seconds` at most; true at once where it never began. Not on the worker.
    package func join(within seconds: Double) -> Bool {
        guard started.load(ordering: .acquiring) else { return true }
        guard over.wait(timeout: .now() + seconds) == .success else { return false }
        over.signal()
        return true
    }

    /// Asks the body to end and waits for that, `seconds` at most. Where it answers false, a file or a server holds the
    /// body up: what it uses must be left to it. Not on the worker.
    package func stop(within seconds: Double = 5) -> Bool {
        end()
        return join(within: seconds)
    }

    /// What the thread does.
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
