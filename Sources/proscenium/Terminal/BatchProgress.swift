import Foundation
import Synchronization

/// Runs work in a task that Ctrl-C cancels; throws a `Failure` of class `interrupted` after Ctrl-C.
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

/// Progress of work on many files, several at a time. May be used on any thread.
final class BatchProgress: Sendable {
    private struct State {
        var finished = 0
        /// Share done of each file under way, by the file's index.
        var shares: [Int: Double] = [:]
    }

    private let count: Int
    private let progress: Progress
    private let state = Mutex(State())

    init(_ what: String, count: Int) { (self.count, progress) = (count, Progress(what)) }

    /// Shows the share done of a file.
    func show(_ share: Double, of index: Int) {
        state.withLock { state in
            state.shares[index] = share
            show(state)
        }
    }

    /// Counts a file as done and clears the line; to be called before the file's messages are printed.
    func finish(_ index: Int) {
        state.withLock { state in
            state.shares[index] = nil
            state.finished += 1
            progress.finish()
        }
    }

    /// Clears the line.
    func finish() { state.withLock { _ in progress.finish() } }

    /// Shows the progress; only called under the lock.
    private func show(_ state: State) {
        progress.show((Double(state.finished) + state.shares.values.reduce(0, +)) / Double(max(1, count)))
    }
}
