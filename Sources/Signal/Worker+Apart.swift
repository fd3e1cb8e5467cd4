extension Worker {
    /// Runs work that blocks, such as the wait for a server, for a name or for the end of a thread, on a thread of its
    /// own, and returns its result. The few threads that run tasks are thus never blocked. If the system gives no
    /// thread, the work runs in place.
    package static func apart<Outcome: Sendable>(
        _ name: String, _ work: @escaping @Sendable () -> Outcome
    ) async -> Outcome {
        await withCheckedContinuation { done in
            let whole: @Sendable () -> Void = { done.resume(returning: work()) }
            do throws(WorkerError) { try detach(name, whole) } catch { whole() }
        }
    }
}
