import Desk
import Gate
import NIOCore
import OSC

/// OSC over TCP. The messages are those of OSC over UDP, without `watch` and without subscriptions of other addresses.
/// The times of bundles are ignored. Replies and news of subscriptions are sent on the same connection.
final class OSCStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    /// Greatest length of a packet with the framing by length, bytes. An unfinished SLIP frame may have twice as many
    /// bytes.
    private static let longest = 65_536

    private let desk: SessionDesk
    private let access: DoorAccess
    private let count: ConnectionCount
    private var framing: OSCFraming?
    private var begun: [UInt8] = []
    private var subscription: Subscription?
    private var isKnown = false, isIn = false
    private var admission: Admission?
    private var asker: CommandQueue.Asker = []

    init(_ desk: SessionDesk, _ access: DoorAccess, _ count: ConnectionCount) {
        self.desk = desk
        self.access = access
        self.count = count
    }

    func channelActive(context: ChannelHandlerContext) {
        guard count.enter(context.channel) else { return context.close(promise: nil) }
        isIn = true
        let host = context.remoteAddress?.ipAddress ?? ""
        isKnown = access.token == nil || Loopback.contains(host)
        if !isKnown { admission = Admission(context.channel, within: access.patience) }
        asker = Array("tcp \(host):\(context.remoteAddress?.port ?? 0)".utf8)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        begun += unwrapInboundIn(data).readableBytesView
        guard let first = begun.first else { return }
        let framing = framing ?? OSCFraming(firstByte: first)
        self.framing = framing
        guard let packets = framing.packets(in: &begun, longest: Self.longest) else {
            // The boundaries of the following packets are unknown.
            desk.commands.note(lost: 0, received: 1, malformed: 1)
            return context.close(promise: nil)
        }
        for bytes in packets {
            do throws(OSCError) {
                let packet = try OSCPacket(decoding: bytes)
                desk.commands.note(lost: 0, received: 1, malformed: 0)
                // A stream has its own order, so that the time of a bundle is ignored.
                for message in packet.messages { take(message, context) }
            } catch {
                desk.commands.note(lost: 0, received: 1, malformed: 1)
                guard isKnown, let address = OSCPacket.address(of: bytes) else { continue }
                let why = SessionReply.refused("the message cannot be read: \(error)")
                Self.send(.message(ControlMessages.message(for: why, to: address)), framing, context.channel)
            }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        _ = context.channel.setOption(.autoRead, value: context.channel.isWritable)
        flush(context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isIn { count.leave(context.channel) }
        isIn = false
        admission?.grant()
        subscription = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func take(_ message: OSCMessage, _ context: ChannelHandlerContext) {
        let (channel, framing) = (context.channel, framing ?? .length)
        let reply: @Sendable (SessionReply) -> Void = { reply in
            Self.send(.message(ControlMessages.message(for: reply, to: message.address)), framing, channel)
        }
        guard isKnown || message.address == ControlWire.token else {
            return reply(.refused("send /proscenium/token with this session's token first"))
        }
        AddressPattern.carryOut(message, among: Array(desk.state.state.values.keys)) { asked, reply in
            switch ControlRequest.read(asked) {
            case .success(.ofDoor(let command, let asked)): reply(answer(command, asked, channel))
            case .success(.nothing): reply(.done)
            case .success(.command(let command)): desk.commands.submit(command, from: asker, answer: reply)
            case .failure(let unusable): reply(.refused(unusable.reason))
            }
        } answer: {
            reply($0)
        }
    }

    /// Returns the reply to a request to the control interface itself.
    private func answer(_ command: DoorCommand, _ message: OSCMessage, _ channel: any Channel) -> SessionReply {
        switch command {
        case .token:
            if let said = message.text, access.accepts(said) {
                isKnown = true
                admission?.grant()
            }
            return isKnown ? .done : .refused("that is not this session's token")
        case .subscribe: return subscribe(message, channel)
        case .unsubscribe:
            guard message.arguments.isEmpty else {
                return .refused("unsubscribe takes nothing here; a connection can end only its own subscription")
            }
            subscription = nil
            return .done
        case .watch: return .refused("watch is for OSC over UDP; 'subscribe' sends every new value here")
        }
    }

    private func subscribe(_ message: OSCMessage, _ channel: any Channel) -> SessionReply {
        guard let wanted = Subscription.Topic.set(of: message.arguments.map(\.written)) else {
            return .refused("subscribe takes any of \(Subscription.Topic.names)")
        }
        let me = NIOLoopBound(self, eventLoop: channel.eventLoop)
        subscription = Subscription(wanted, at: desk) { [loop = channel.eventLoop] in
            if loop.inEventLoop { me.value.flush(channel) } else { loop.execute { me.value.flush(channel) } }
        }
        flush(channel)
        return .done
    }

    private func flush(_ channel: any Channel) {
        guard channel.isWritable, let subscription else { return }
        let framing = framing ?? .length
        let bytes = OSCNews.packets(subscription.take()).flatMap { framing.frame($0.encoded()) }
        if !bytes.isEmpty { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }
    }

    private static func send(_ packet: OSCPacket, _ framing: OSCFraming, _ channel: any Channel) {
        channel.writeAndFlush(ByteBuffer(bytes: framing.frame(packet.encoded())), promise: nil)
    }
}
