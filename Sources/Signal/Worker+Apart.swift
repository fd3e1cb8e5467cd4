extension Worker {
    /// Runs work that blocks, such as the wait for a server, for a name or for the end of a thread, on a thread of its
    /// own, and returns its result. The few threads that run tasks are thus never blocked. If the system gives no
    /// thread, the work runs in place.
    package static func apart<Outcome: Sendable>(
        _ name: String, _ work: @escaping @Sendable () -> Outcome
    ) async -> Outcome {
        switch await beside(name, work) {
        case .success(let outcome): outcome
        case .failure: work()
        }
    }

    /// Runs work on a thread of its own, as `apart` does; if the system gives no thread, nothing is run, and the error
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
