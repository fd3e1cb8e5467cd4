import NIOCore
import NIOWebSocket

/// Frames as RFC 6455 has a client send them (5.1, 5.2): masked, without reserved bits, of a kind that there is. What
/// is none of that ends the conversation; that frames of control are whole and short the decoder sees to.
final class FrameCheck: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Why a conversation ends.
    struct Unusable: Error {}
    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3, frame.opcode.isKnown {
            if !isOver { context.fireChannelRead(data) }
            return
        }
        guard !isOver else { return }
        isOver = true
        var code = context.channel.allocator.buffer(capacity: 2)
        code.write(webSocketErrorCode: .protocolError)
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .connectionClose, data: code)), promise: nil)
        context.fireErrorCaught(Unusable())
    }
}

extension WebSocketOpcode {
    /// Whether RFC 6455 says what it is for.
    fileprivate var isKnown: Bool {
        [.continuation, .text, .binary, .connectionClose, .ping, .pong].contains(self)
    }
}
