import Desk
import Gate
import NIOCore

/// A conversation in JSON over a channel: sends what was subscribed to as fast as the other end reads it and no faster.
/// On the channel's event loop alone; `end` must be called.
final class JSONPeer {
    private let channel: any Channel
    private var conversation: JSONConversation?

    /// Begins it; `send` writes objects, from any thread.
    init(
        _ channel: any Channel, _ desk: SessionDesk, origin: PathOrigin = .network,
        send: @escaping @Sendable ([String]) -> Void
    ) {
        self.channel = channel
        let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
        conversation = JSONConversation(at: desk, origin: origin, send: send) { [loop = channel.eventLoop] in
            if loop.inEventLoop { me.value.flush() } else { loop.execute { me.value.flush() } }
        }
    }

    /// Ends it.
    func end() {
        conversation?.end()
        conversation = nil
    }

    /// Takes a request.
    func receive(_ bytes: [UInt8]) { conversation?.receive(bytes) }

    /// The other end reads, or has stopped reading.
    func writabilityChanged() {
        // A client that does not read its answers is read no further.
        _ = channel.setOption(.autoRead, value: channel.isWritable)
        flush()
    }

    private func flush() { if channel.isWritable { conversation?.flush() } }
}
