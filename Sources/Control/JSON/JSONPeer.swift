import Desk
import Gate
import NIOCore

/// JSON dialogue over a channel. News are sent no faster than the client reads them. Must be used only on the channel's
/// event loop. `end` must be called.
final class JSONPeer {
    private let channel: any Channel
    private var conversation: JSONConversation?

    /// Starts the dialogue. `send` writes objects; it may be called on any thread.
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

    /// Ends the dialogue.
    func end() {
        conversation?.end()
        conversation = nil
    }

    /// Carries out a request.
    func receive(_ bytes: [UInt8]) { conversation?.receive(bytes) }

    /// Must be called when the client starts or stops reading.
    func writabilityChanged() {
        // While a client does not read its replies, no requests are read from it.
        _ = channel.setOption(.autoRead, value: channel.isWritable)
        flush()
    }

    private func flush() { if channel.isWritable { conversation?.flush() } }
}
