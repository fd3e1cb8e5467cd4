import Foundation
import Glibc
import Synchronization

/// Prints a line on standard error.
func say(_ line: String) { LineOutput.standardError.write(line + "\n") }

/// Where people read what a program says, which they may have stopped reading: a terminal held by Ctrl-S, a pipe that
/// is not emptied. Any thread.
final class LineOutput: Sendable {
    /// Standard error.
    static let standardError = LineOutput(2)

    private struct State {
        /// Milliseconds that a text waits until it can be written; −1: as long as it takes.
        var patience: Int32 = -1
        /// Texts that were given up since one was written.
        var lost = 0
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    /// Bytes that a pipe takes at once when it can be written to (PIPE_BUF).
    private static let piece = 4096

    /// Output to a descriptor, which it does not close.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// From now on a text waits a second at most, and none at all while nothing has been read since: what plays does
    /// not stand still for a reader, and does not end with one (SIGPIPE). How many texts were given up is told before
    /// the next that is written.
    func waitBriefly() {
        // A handler that does nothing, not none: children begin with the signal's default action.
        signal(SIGPIPE) { _ in }
        state.withLock { $0.patience = 1000 }
    }

    /// Writes a text, whole or not at all unless it is longer than a pipe takes at once.
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
            // The reader is gone: it cannot be told.
            guard count > 0 else { return true }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
