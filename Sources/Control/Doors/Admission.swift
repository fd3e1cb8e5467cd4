import Gate
import NIOCore

/// Timeout of a new connection, within which it must send the token or complete a request: an idle connection takes a
/// place from another. On the channel's event loop alone.
final class Admission {
    private var end: Scheduled<Void>?

    /// Closes the channel after `seconds`, unless `grant` is called before; calls `isLate` first.
    init(_ channel: any Channel, within seconds: Double, isLate: @escaping @Sendable () -> Void = {}) {
        end = channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(Int(clamping: seconds * 1e9, to: 0...1 << 60)))) {
            isLate()
            channel.close(promise: nil)
        }
    }

    /// Cancels the timeout: the token came, the request is whole, or the connection is gone. Idempotent.
    func grant() {
        end?.cancel()
        end = nil
    }
}
