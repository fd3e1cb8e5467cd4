import Desk
import Gate
import NIOCore

/// JSON lines over a Unix socket, with one request and one reply per line; see `JSONConversation`.
final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let desk: SessionDesk
    private let count: ConnectionCount
    private var peer: JSONPeer?
    /// Bytes of a line whose end has not arrived.
    private var begun: [UInt8] = []

    init(_ desk: SessionDesk, _ count: ConnectionCount) {
        self.desk = desk
        self.count = count
    }

    func channelActive(context: ChannelHandlerContext) {
        guard count.enter(context.channel) else { return context.close(promise: nil) }
        let channel = context.channel
        peer = JSONPeer(channel, desk, origin: .socket) { texts in
            channel.writeAndFlush(ByteBuffer(string: texts.joined(separator: "\n") + "\n"), promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            if byte == UInt8(ascii: "\n") {
                if !begun.isEmpty { peer?.receive(begun) }
                begun = []
            } else if begun.count <= JSONConversation.longest {
                // Bytes above the limit are dropped. The line is refused at its end.
                begun.append(byte)
            }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { peer?.writabilityChanged() }

    func channelInactive(context: ChannelHandlerContext) {
        if peer != nil { count.leave(context.channel) }
        peer?.end()
        peer = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
