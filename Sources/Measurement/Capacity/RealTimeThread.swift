import Glibc
import Signal
import Synchronization

/// A thread like the one JACK runs a client on: with real-time priority where that is permitted.
package enum RealTimeThread {
    /// Real-time priority of the thread, the default of jackd.
    static let priority: Int32 = 10

    /// Runs `body` on such a thread and waits for it without blocking the caller's executor; it is told whether it has
    /// real-time priority. Fails where the system gives no thread.
    package static func run<Result: Sendable>(_ name: String, _ body: @escaping @Sendable (Bool) -> Result) async
        -> Swift.Result<Result, WorkerError>
    {
        await withCheckedContinuation { continuation in
            let work: @Sendable (Worker) -> Void = { _ in
                var parameters = sched_param()
                parameters.sched_priority = priority
                let permitted = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
                continuation.resume(returning: .success(body(permitted)))
            }
            do throws(WorkerError) { try Worker(name: name, stackBytes: 1 << 20).start(work) } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
}
