import NIOCore
import NIOWebSocket
import Session

/// JSON over a WebSocket (RFC 6455): a request a message, see `JSONConversation`.
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
        // A connection that breaks has asked for nothing.
        if !(error is IOError || error is ChannelError) { desk.commands.noteTurnedAway() }
        context.close(promise: nil)
    }
}

/// Frames as RFC 6455 has a client send them (5.1, 5.2): masked, without reserved bits, of a kind that there is, those of
/// control whole and of 125 bytes at most. What is none of that ends the conversation.
final class FrameCheck: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Why a conversation ends.
    struct Unusable: Error {}
    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        let isWhole = !frame.opcode.isControlOpcode || (frame.fin && frame.length <= 125)
        if frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3, frame.opcode.isKnown, isWhole {
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
