extension Worker {
    /// Does work that blocks, such as the wait for a server, for a name or for the end of a thread, on a thread of its
    /// own, and gives what comes of it: of the few threads that run tasks none is held up. Where the system gives no
    /// thread the work is done in place.
    package static func apart<Outcome: Sendable>(
        _ name: String, _ work: @escaping @Sendable () -> Outcome
    ) async -> Outcome {
        await withCheckedContinuation { done in
            let whole: @Sendable () -> Void = { done.resume(returning: work()) }
            do throws(WorkerError) { try detach(name, whole) } catch { whole() }
        }
    }
}
