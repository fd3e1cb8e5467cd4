extension Worker {
    /// Runs blocking work on a thread of its own, and returns the result. Such work waits for a server, for the address
    /// of a host name, or for the end of a thread. It must not block the few threads on which Swift runs tasks. If the
    /// system provides no thread, the work runs on the calling thread.
    package static func apart<Outcome: Sendable>(
        _ name: String, _ work: @escaping @Sendable () -> Outcome
    ) async -> Outcome {
        switch await beside(name, work) {
        case .success(let outcome): outcome
        case .failure: work()
        }
    }

    /// Runs work on a thread of its own, as `apart` does. If the system provides no thread, nothing runs and the error
    /// is returned.
    package static func beside<Outcome: Sendable>(
        _ name: String, _ work: @escaping @Sendable () -> Outcome
    ) async -> Result<Outcome, WorkerError> {
        await withCheckedContinuation { done in
            do throws(WorkerError) {
                try detach(name) { done.resume(returning: .success(work())) }
            } catch {
                done.resume(returning: .failure(error))
            }
        }
    }
}
