import Signal

/// Slow work on a thread of its own; the caller waits without blocking its executor.
enum Beside {
    /// Runs the work and returns its result; a failure, with nothing run, if the system provides no thread.
    static func run<Value: Sendable>(
        _ name: String, _ work: @escaping @Sendable () -> Value
    ) async -> Result<Value, WorkerError> {
        await withCheckedContinuation { done in
            do throws(WorkerError) {
                try Worker.detach(name) { done.resume(returning: .success(work())) }
            } catch {
                done.resume(returning: .failure(error))
            }
        }
    }
}
