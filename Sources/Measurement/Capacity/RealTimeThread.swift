import Glibc
import Signal
import Synchronization

/// A thread like the one on which JACK runs a client: with real-time priority if that is permitted.
package enum RealTimeThread {
    /// Real-time priority of the thread; jackd's default.
    static let priority: Int32 = 10

    /// Runs `body` on a new thread of this kind and awaits the result, without blocking the caller's executor. `body`
    /// receives whether the thread has real-time priority. Returns a failure if the system provides no thread.
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
