import NIOCore
import NIOPosix
import OSC
import Session

/// Sends one command to a running session and waits for its answer.
package enum ControlClient {
    /// The answer's text: `done`, or JSON.
    ///
    /// - Parameters:
    ///   - command: what to ask for.
    ///   - address: where the session listens.
    ///   - timeout: how long to wait for the answer.
    /// - Throws: `SessionError`: nobody answers (environment), or the session refuses (input).
    package static func request(
        _ command: SessionCommand, at address: ControlAddress, timeout: Duration = .seconds(3)
    ) async throws(SessionError) -> String {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let result: Result<OSCMessage, any Error>
        do {
            result = .success(try await exchange(command, at: address, timeout: timeout, on: group))
        } catch {
            result = .failure(error)
        }
        try? await group.shutdownGracefully()
        guard case .success(let answer) = result else {
            throw SessionError(
                .environment,
                "no session answers at \(address); is 'proscenium run' running, with this control port (--port)?")
        }
        guard answer.arguments.count == 2, case .string(let text) = answer.arguments[1] else {
            throw SessionError(.environment, "what answers at \(address) is not a Proscenium session")
        }
        guard answer.address == ControlMessages.reply else {
            throw SessionError(.input, "the session refused: \(text)")
        }
        return text
    }

    private static func exchange(
        _ command: SessionCommand, at address: ControlAddress, timeout: Duration,
        on group: MultiThreadedEventLoopGroup
    ) async throws -> OSCMessage {
        let promise = group.next().makePromise(of: OSCMessage.self)
        let limit = TimeAmount.nanoseconds(Int64(timeout / .nanoseconds(1)))
        group.next().scheduleTask(in: limit) { promise.fail(ChannelError.connectTimeout(limit)) }
        // Closing the group, which the caller does, closes the channel.
        DatagramBootstrap(group: group)
            .takingWholeDatagrams()
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Awaiting(promise: promise))
                }
            }
            .connect(host: address.host, port: address.port)
            .flatMap { channel in
                let bytes = OSCPacket.message(ControlMessages.message(for: command)).encoded()
                return channel.writeAndFlush(ByteBuffer(bytes: bytes))
            }
            .cascadeFailure(to: promise)
        return try await promise.futureResult.get()
    }
}

/// Fulfils a promise with the first OSC message that arrives, fails it when the port answers that nobody listens.
private final class Awaiting: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let promise: EventLoopPromise<OSCMessage>

    init(promise: EventLoopPromise<OSCMessage>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).data.readableBytesView)
        if let message = (try? OSCPacket(decoding: bytes))?.messages.first { promise.succeed(message) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { promise.fail(error) }
}
