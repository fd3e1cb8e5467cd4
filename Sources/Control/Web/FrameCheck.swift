import NIOCore
import NIOWebSocket

/// Check of client frames by RFC 6455 (5.1, 5.2). A frame must be masked, have no reserved bits set, and have a known
/// opcode. A violation closes the connection. The decoder checks that control frames are complete and short.
final class FrameCheck: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Violation that closes the connection.
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
    /// Whether RFC 6455 defines the opcode.
    fileprivate var isKnown: Bool {
        [.continuation, .text, .binary, .connectionClose, .ping, .pong].contains(self)
    }
}
