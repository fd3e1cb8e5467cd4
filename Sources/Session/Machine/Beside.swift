import Signal

/// Work that takes its time, on a thread of its own; the caller waits without holding up its executor.
enum Beside {
    /// What came of the work; a failure where the system gives no thread, and then nothing was done.
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
