import Gate
import NIOCore

/// Timeout of a new connection. Within it the client must send the token or complete a request, because an idle
/// connection would keep a place from other clients. Only on the channel's event loop.
final class Admission {
    private var end: Scheduled<Void>?

    /// Closes the channel after `seconds`, unless `grant` is called before. Calls `isLate` before it closes.
    init(_ channel: any Channel, within seconds: Double, isLate: @escaping @Sendable () -> Void = {}) {
        end = channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(Int(clamping: seconds * 1e9, to: 0...1 << 60)))) {
            isLate()
            channel.close(promise: nil)
        }
    }

    /// Cancels the timeout, because the token was sent, the request is complete, or the connection is closed.
    /// Idempotent.
    func grant() {
        end?.cancel()
        end = nil
    }
}
