import Desk
import Foundation
import Session
import Synchronization

/// Prints the steps of a session's preparation on standard error: at once on a terminal, else only if the preparation
/// takes over two seconds. Notes are always printed. May be called on any thread.
final class Preparation: Sendable {
    private struct State {
        /// Current step of the preparation; nil without one.
        var what: String?
        /// Number of preparations so far. The delay of two seconds applies to each of them.
        var count = 0
        /// Whether the steps of this preparation are printed.
        var isSaid = false
    }

    private static let patience = Duration.seconds(2)
    private let isAttached = isatty(2) == 1
    private let state = Mutex(State())

    /// Callback for a session's remarks.
    var tell: @Sendable (SessionRemark) -> Void { { [self] in take($0) } }

    private func take(_ remark: SessionRemark) {
        switch remark {
        case .note(let text): write("proscenium: \(text)")
        case .ready: state.withLock { $0.what = nil }
        case .preparing(let what):
            let (isSaid, isFirst, count) = state.withLock { state in
                let isFirst = state.what == nil
                if isFirst {
                    state.isSaid = isAttached
                    state.count += 1
                }
                state.what = what
                return (state.isSaid, isFirst, state.count)
            }
            if isSaid {
                write("proscenium: \(what) ...")
            } else if isFirst {
                Task.detached {
                    try? await Task.sleep(for: Self.patience)
                    self.losePatience(with: count)
                }
            }
        }
    }

    /// Prints the current step and from now on every further one, provided preparation number `count` still runs.
    private func losePatience(with count: Int) {
        let what = state.withLock { state -> String? in
            guard state.count == count, state.what != nil else { return nil }
            state.isSaid = true
            return state.what
        }
        if let what { write("proscenium: \(what) ...") }
    }

    private func write(_ line: String) {
        // Clears a status line that may be in this row.
        say((isAttached ? "\r\u{1B}[K" : "") + line)
    }
}
