import Foundation
import NIOCore
import NIOHTTP1
import NIOWebSocket
import Session

/// HTTP: `GET /state` (all that is in force), `GET /proscenium/...` (OSC Query), `POST /command` (one request as in
/// `JSONConversation`, answered as there), and the upgrade to a WebSocket at any path, where that conversation goes on.
final class WebHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private static let name = "web"

    private let site: WebSite
    private let count: ConnectionCount
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    /// Makes a connection one that speaks HTTP, until it asks for a WebSocket.
    static func configure(_ channel: any Channel, _ site: WebSite, _ count: ConnectionCount) -> EventLoopFuture<Void> {
        guard count.enter() else { return channel.close() }
        channel.closeFuture.whenComplete { _ in count.leave() }
        return channel.eventLoop.makeCompletedFuture {
            let upgrader = NIOWebSocketServerUpgrader(
                maxFrameSize: JSONConversation.longest,
                shouldUpgrade: { channel, head in
                    channel.eventLoop.makeSucceededFuture(site.refusal(of: head) == nil ? HTTPHeaders() : nil)
                },
                upgradePipelineHandler: { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(
                            NIOWebSocketFrameAggregator(
                                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 64,
                                maxAccumulatedFrameSize: JSONConversation.longest))
                        try pipeline.addHandler(WebSocketHandler(site.desk))
                    }
                })
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(
                withServerUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { context in context.pipeline.removeHandler(name: name, promise: nil) }
                ))
            try pipeline.addHandler(WebHandler(site, count), name: name)
        }
    }

    private init(_ site: WebSite, _ count: ConnectionCount) {
        self.site = site
        self.count = count
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let bytes):
            if body.count <= JSONConversation.longest { body += bytes.readableBytesView }
        case .end:
            guard let head else { return }
            self.head = nil
            answer(head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        if let refusal = site.refusal(of: head) { return Self.send(refusal, head, context.channel) }
        switch head.method {
        case .GET, .HEAD:
            let answer = site.look(at: head.uri) ?? .refused(.notFound, "there is nothing at \(head.uri)")
            Self.send(answer, head, context.channel)
        case .POST where head.uri.prefix(while: { $0 != "?" }) == "/command": command(head, context.channel)
        default: Self.send(.refused(.methodNotAllowed, "GET, or POST to /command"), head, context.channel)
        }
    }

    private func command(_ head: HTTPRequestHead, _ channel: any Channel) {
        let conversation = JSONConversation(
            at: site.desk,
            send: { texts in
                let text = texts.joined()
                // The answer's own word, not one of the state in it.
                let answer = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
                let isRefused = answer?["refused"] != nil
                Self.send(WebSite.Answer(status: isRefused ? .badRequest : .ok, body: text), head, channel)
            }, wake: {})
        conversation.receive(body)
    }

    private static func send(_ answer: WebSite.Answer, _ request: HTTPRequestHead, _ channel: any Channel) {
        var headers = HTTPHeaders([
            ("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ])
        let body = ByteBuffer(string: answer.body)
        if answer.status != .noContent { headers.add(name: "Content-Length", value: "\(body.readableBytes)") }
        if !request.isKeepAlive { headers.add(name: "Connection", value: "close") }
        channel.write(
            HTTPServerResponsePart.head(
                HTTPResponseHead(version: request.version, status: answer.status, headers: headers)), promise: nil)
        if request.method != .HEAD { channel.write(HTTPServerResponsePart.body(.byteBuffer(body)), promise: nil) }
        let isSent = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if !request.isKeepAlive { isSent.whenComplete { _ in channel.close(promise: nil) } }
    }
}
