import NIOCore

/// The time that whoever has connected has to say the token: a connection that says nothing takes a place that another
/// could have. On the channel's event loop alone.
final class Admission {
    private var end: Scheduled<Void>?

    /// Closes a channel after so many seconds, unless `grant` comes before.
    init(_ channel: any Channel, within seconds: Double) {
        end = channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) { channel.close(promise: nil) }
    }

    /// The token was said, or the connection is gone. Idempotent.
    func grant() {
        end?.cancel()
        end = nil
    }
}
