import Gate
import NIOCore

/// The time that a new connection has to say the token, or to bring a request to its end: a connection that says
/// nothing takes a place that another could have. On the channel's event loop alone.
final class Admission {
    private var end: Scheduled<Void>?

    /// Closes a channel after so many seconds, unless `grant` comes before; `isLate` is told of it.
    init(_ channel: any Channel, within seconds: Double, isLate: @escaping @Sendable () -> Void = {}) {
        end = channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(Int(clamping: seconds * 1e9, to: 0...1 << 60)))) {
            isLate()
            channel.close(promise: nil)
        }
    }

    /// The token was said, the request is whole, or the connection is gone. Idempotent.
    func grant() {
        end?.cancel()
        end = nil
    }
}
