import Foundation
import Glibc
import Synchronization

/// Prints a line on standard error.
func say(_ line: String) { LineOutput.standardError.write(line + "\n") }

/// Text output whose reader may have stopped: a terminal held by Ctrl-S, or a full pipe. May be used on any thread.
final class LineOutput: Sendable {
    /// Standard error.
    static let standardError = LineOutput(2)

    private struct State {
        /// Timeout of a write, milliseconds; −1: none.
        var patience: Int32 = -1
        /// Number of texts lost since the last written one.
        var lost = 0
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    /// Bytes that a writable pipe accepts at once (PIPE_BUF).
    private static let piece = 4096

    /// Output to a descriptor, which it does not close.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sets the timeout of a write to 1 s. After a lost text, further texts are dropped without a wait until the output
    /// accepts text again; then the number of lost texts is printed first. A stopped reader thus delays a caller by
    /// about a second at most, and a closed one (SIGPIPE) does not end the program.
    func waitBriefly() {
        // An empty handler instead of SIG_IGN, so that children start with the signal's default action.
        signal(SIGPIPE) { _ in }
        state.withLock { $0.patience = 1000 }
    }

    /// Writes a text. On a pipe, a text of up to `piece` bytes is written whole or not at all.
    func write(_ text: String) {
        state.withLock { state in
            if state.lost > 0 {
                let told = "proscenium: \(state.lost) messages before this one were not read, and are lost\n"
                guard put(told, within: 0) else {
                    state.lost += 1
                    return
                }
                state.lost = 0
            }
            if !put(text, within: state.patience) { state.lost += 1 }
        }
    }

    private func put(_ text: String, within milliseconds: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let ready = poll(&request, 1, milliseconds)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return false }
            let count = rest.prefix(Self.piece).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            // The reader has closed the descriptor; no message can reach it.
            guard count > 0 else { return true }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
