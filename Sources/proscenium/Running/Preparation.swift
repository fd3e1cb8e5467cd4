import Desk
import Foundation
import Session
import Synchronization

/// Says on standard error what a session prepares before its first sound: at once where a terminal is attached, else
/// only where it takes more than two seconds. Notes are said in any case. Any thread.
final class Preparation: Sendable {
    private struct State {
        /// What is being prepared; nil while nothing is.
        var what: String?
        /// Preparations so far, each with a patience of its own.
        var count = 0
        /// Whether this one's steps are said.
        var isSaid = false
    }

    private static let patience = Duration.seconds(2)
    private let isAttached = isatty(2) == 1
    private let state = Mutex(State())

    /// Where a session's remarks go.
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

    /// Says what is being prepared, where that still is the same preparation, and from now on every step of it.
    private func losePatience(with count: Int) {
        let what = state.withLock { state -> String? in
            guard state.count == count, state.what != nil else { return nil }
            state.isSaid = true
            return state.what
        }
        if let what { write("proscenium: \(what) ...") }
    }

    private func write(_ line: String) {
        // A status line may stand there.
        say((isAttached ? "\r\u{1B}[K" : "") + line)
    }
}
