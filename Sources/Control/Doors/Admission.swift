import Gate
import NIOCore

/// Timeout of a connection: the client must send its token, complete a request, or read a reply in time. An idle
/// connection would take a place that other clients need. Must be used only on the channel's event loop.
final class Admission {
    private var end: Scheduled<Void>?

    /// Closes the channel after `seconds`, unless `grant` is called before. Calls `isLate` before closing.
    init(_ channel: any Channel, within seconds: Double, isLate: @escaping @Sendable () -> Void = {}) {
        end = channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(Int(clamping: seconds * 1e9, to: 0...1 << 60)))) {
            isLate()
            channel.close(promise: nil)
        }
    }

    /// Cancels the timeout: the client was in time, or the connection is closed. Idempotent.
    func grant() {
        end?.cancel()
        end = nil
    }
}
