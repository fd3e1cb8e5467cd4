import Dispatch

/// Runs `body` over 0..<count in chunks of `chunk`, on at most as many threads as the machine has cores, and waits for
/// all chunks.
///
/// `body` must write only to memory of its own range. This rule and the wait make it safe to share `body`.
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
