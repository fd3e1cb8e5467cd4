import Desk
import NIOCore
import NIOWebSocket

/// JSON over a WebSocket (RFC 6455), one request per message; see `JSONConversation`.
final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let desk: SessionDesk
    private var peer: JSONPeer?

    init(_ desk: SessionDesk) { self.desk = desk }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        peer = JSONPeer(channel, desk) { texts in
            for text in texts {
                channel.write(
                    WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)), promise: nil)
            }
            channel.flush()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary: peer?.receive(Array(frame.unmaskedData.readableBytesView))
        case .ping:
            context.writeAndFlush(
                wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)), promise: nil)
        case .connectionClose:
            let closing = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
            let channel = context.channel
            channel.writeAndFlush(closing).whenComplete { _ in channel.close(promise: nil) }
        default: break
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { peer?.writabilityChanged() }

    func handlerRemoved(context: ChannelHandlerContext) {
        peer?.end()
        peer = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        peer?.end()
        peer = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A broken connection is not counted as refused.
        if !(error is IOError || error is ChannelError) { desk.commands.noteTurnedAway() }
        context.close(promise: nil)
    }
}
