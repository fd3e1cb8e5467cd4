import NIOCore
import NIOPosix
import OSC
import Session
import Synchronization

/// Listens for OSC control messages over UDP and answers each to its sender.
///
/// Runs on one thread of its own; the commands it passes on run wherever `perform` runs.
package final class ControlServer: Sendable {
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let answering: Answering

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - address: where; only the user may name one other than the loopback.
    ///   - events: what is told to whoever watches, when it happens.
    ///   - perform: carries out a command and says how it went.
    /// - Throws: `SessionError` where the port is taken or the address is none of this machine.
    package init(
        at address: ControlAddress, events: SessionEvents? = nil,
        perform: @escaping @Sendable (SessionCommand) async -> SessionReply
    ) async throws(SessionError) {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let answering = Answering(perform: perform)
        self.answering = answering
        do {
            channel = try await DatagramBootstrap(group: group)
                .takingWholeDatagrams()
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(answering)
                    }
                }
                .bind(host: address.host, port: address.port).get()
        } catch {
            try? await group.shutdownGracefully()
            let inUse = (error as? IOError)?.errnoCode == 98
            throw SessionError(
                .environment,
                inUse
                    ? "control port \(address) is in use, perhaps by another 'proscenium run'; choose one with --control PORT"
                    : "cannot listen for control messages on \(address): \(error)")
        }
        answering.watchers.begin(over: channel, telling: events, perform)
    }

    /// Stops listening; answers under way are still sent (the one to `quit` among them).
    package func stop() async {
        answering.watchers.end()
        for _ in 0..<100 where answering.isBusy { try? await Task.sleep(for: .milliseconds(10)) }
        try? await channel.close().get()
        try? await group.shutdownGracefully()
    }
}

/// Decodes, performs, answers.
private final class Answering: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    let watchers = Watchers()
    private let perform: @Sendable (SessionCommand) async -> SessionReply
    private let unanswered = Atomic<Int>(0)

    init(perform: @escaping @Sendable (SessionCommand) async -> SessionReply) { self.perform = perform }

    /// Whether a message has not been answered yet.
    var isBusy: Bool { unanswered.load(ordering: .relaxed) > 0 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        // Bytes that are no OSC are nobody's command: there is no one to answer.
        guard let packet = try? OSCPacket(decoding: Array(envelope.data.readableBytesView)) else { return }
        let channel = context.channel
        let sender = envelope.remoteAddress
        for message in packet.messages {
            unanswered.wrappingAdd(1, ordering: .relaxed)
            Task {
                let bytes = OSCPacket.message(await answer(to: message, from: sender)).encoded()
                try? await channel.writeAndFlush(
                    AddressedEnvelope(remoteAddress: sender, data: ByteBuffer(bytes: bytes)))
                unanswered.wrappingSubtract(1, ordering: .relaxed)
            }
        }
    }

    private func answer(to message: OSCMessage, from sender: SocketAddress) async -> OSCMessage {
        if message.address == ControlMessages.watch {
            return ControlMessages.message(for: watch(message, from: sender), to: message.address)
        }
        switch ControlMessages.command(from: message) {
        case .success(let command):
            let reply = await perform(command)
            return ControlMessages.message(for: reply, to: message.address)
        case .failure(let unusable):
            return ControlMessages.message(for: .refused(unusable.reason), to: message.address)
        }
    }

    private func watch(_ message: OSCMessage, from sender: SocketAddress) -> SessionReply {
        guard let rate = ControlMessages.watchRate(in: message) else {
            return .refused("watch takes a number of times per second, 0 to 100")
        }
        return watchers.set(sender, rate: rate) ? .done : .refused("\(Watchers.capacity) listeners watch already")
    }
}
