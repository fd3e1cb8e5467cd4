import Glibc
import Signal
import Synchronization
import Takes

/// Writes a text take (a file that gets its final name on completion) on a separate thread, so that a stalled disk does
/// not delay other threads.
///
/// Appended text is written within about 20 ms. It may be used on any thread, with one call at a time.
final class LogWriter: Sendable {
    /// Texts that wait to be written, and the failure that ended the writing.
    private struct Waiting {
        /// Texts in order; nil restarts the take.
        var texts: [String?] = []
        var bytes = 0
        var failure: TakeError?
    }

    /// Greatest size of the queue, bytes; enough for minutes of the fastest tracker's packets.
    private static let capacity = 16 << 20
    /// Interval between two writes, seconds.
    private static let interval = 0.02

    private let take: TextTake
    private let beginning: String
    private let waiting = Mutex(Waiting())
    private let worker: Worker

    /// Opens the take with its first lines, on the calling thread.
    ///
    /// - Parameter worker: writes the text; it is not started yet.
    /// - Throws: the errors of `TextTake`, or `noThread` if the thread cannot be started.
    init(
        path: String, beginning: String, replaces: Bool, worker: Worker = Worker(name: "motion log")
    ) throws(TakeError) {
        take = try TextTake(path: path, beginning: beginning, replaces: replaces)
        self.beginning = beginning
        self.worker = worker
        do throws(WorkerError) {
            try worker.start { [self] worker in
                while !worker.isEnding {
                    write()
                    worker.rest(Self.interval)
                }
                write()
                // After a fault of the disk, the take is complete already. After an overflow of the queue, the take is
                // incomplete, and would be removed when the owner releases the writer.
                if waiting.withLock({ $0.failure }) != nil { _ = try? take.finish() }
            }
        } catch {
            take.discard()
            throw .noThread(path: path, reason: error.description)
        }
    }

    /// Path of the take, as the caller gave it.
    var path: String { take.path }

    /// Queues whole lines for writing.
    ///
    /// - Throws: the error of an earlier write, or `stopped` if the queue is full. The take then contains the lines
    ///   before the fault.
    func append(_ text: String) throws(TakeError) { try put(text) }

    /// Queues a restart of the take.
    func restart() throws(TakeError) { try put(nil) }

    /// Writes the queue and completes the file. Waits at most one minute.
    func finish() throws(TakeError) {
        guard worker.stop(within: TakeFile.patience) else { throw .system(path: take.path, code: ETIMEDOUT) }
        if let failure = waiting.withLock({ $0.failure }) { throw failure }
        try take.finish()
    }

    /// Removes the file, unless the disk blocks the worker for more than a second.
    func discard() {
        waiting.withLock { ($0.texts, $0.bytes) = ([], 0) }
        if worker.stop(within: 1) { take.discard() }
    }

    private func put(_ text: String?) throws(TakeError) {
        let failure = waiting.withLock { waiting -> TakeError? in
            if let failure = waiting.failure { return failure }
            let size = text?.utf8.count ?? 0
            guard size > 0 || text == nil else { return nil }
            guard waiting.bytes + size <= Self.capacity else {
                let failure = TakeError.stopped(path: take.path, reason: "the disk is too slow")
                waiting.failure = failure
                return failure
            }
            waiting.texts.append(text)
            waiting.bytes += size
            return nil
        }
        guard let failure else { return }
        worker.end()
        throw failure
    }

    /// Writes the queue, on the worker's thread.
    private func write() {
        let texts = waiting.withLock { waiting -> [String?] in
            defer { (waiting.texts, waiting.bytes) = ([], 0) }
            return waiting.texts
        }
        do throws(TakeError) {
            for text in texts {
                if let text { try take.append(text) } else { try take.restart(beginning) }
            }
        } catch {
            waiting.withLock { $0.failure = $0.failure ?? error }
            worker.end()
        }
    }
}
