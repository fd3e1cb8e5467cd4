import Dispatch

/// Runs `body` over 0..<count in runs of `chunk`, on as many threads as the machine has cores; returns when all are
/// done.
///
/// `body` must write to places of its own range only: that, and the wait for the last run, make sharing it sound.
package func inParallel(_ count: Int, chunk: Int, _ body: (Range<Int>) -> Void) {
    let chunks = (count + chunk - 1) / chunk
    guard chunks > 1 else {
        if count > 0 { body(0..<count) }
        return
    }
    withoutActuallyEscaping(body) { body in
        nonisolated(unsafe) let body = body
        DispatchQueue.concurrentPerform(iterations: chunks) { index in
            body((index * chunk)..<min(count, (index + 1) * chunk))
        }
    }
}
