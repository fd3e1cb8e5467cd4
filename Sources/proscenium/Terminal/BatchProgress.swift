import Foundation
import Synchronization

/// Does work that Ctrl-C ends: its task is cancelled, and the program leaves with the status of what was interrupted.
func interruptible<Value: Sendable>(
    _ work: @escaping @Sendable (Interrupt) async throws -> Value
) async throws -> Value {
    let interrupt = Interrupt()
    let task = Task { try await work(interrupt) }
    interrupt.tell { task.cancel() }
    let result = await task.result
    if interrupt.isRequested { throw Failure(.interrupted, "interrupted") }
    return try result.get()
}

/// How far work on many files is, of which several are worked on at a time. Any thread.
final class BatchProgress: Sendable {
    private struct State {
        var finished = 0
        /// The share done of those that are worked on.
        var shares: [Int: Double] = [:]
    }

    private let count: Int
    private let progress: Progress
    private let state = Mutex(State())

    init(_ what: String, count: Int) { (self.count, progress) = (count, Progress(what)) }

    /// Shows that so much of a file is done.
    func show(_ share: Double, of index: Int) {
        state.withLock { state in
            state.shares[index] = share
            show(state)
        }
    }

    /// Shows that a file is done with, and clears the line: what is said of it comes next.
    func finish(_ index: Int) {
        state.withLock { state in
            state.shares[index] = nil
            state.finished += 1
            progress.finish()
        }
    }

    /// Clears the line.
    func finish() { state.withLock { _ in progress.finish() } }

    /// `progress` is only called under the lock.
    private func show(_ state: State) {
        progress.show((Double(state.finished) + state.shares.values.reduce(0, +)) / Double(max(1, count)))
    }
}
