import Desk
import Foundation
import Gate
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// HTTP interface. It serves the files of the control panel, if enabled; `GET /state` (all present values); `GET
/// /proscenium/...` (OSC Query); and `POST /command` (one request as in `JSONConversation`, with its reply). Any path
/// can be upgraded to a WebSocket, which takes JSON requests as in `JSONConversation`, including subscriptions.
final class WebHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private static let name = "web"

    private let site: WebSite
    private let count: ConnectionCount
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    /// Complete request that waits until the client has read the previous reply; at most one.
    private var waiting: (head: HTTPRequestHead, body: [UInt8])?
    /// Time within which the client must read more of a reply or send a request, seconds. An idle client would take a
    /// place that other clients need.
    private static let idle = 60.0
    /// Timeout of the reply to a command, seconds. After this time the connection is closed, but the command continues.
    /// The timeout is longer than the one for the preparation of an HRTF set (`ChildReader`).
    private static let longestCommand = 1000.0
    /// Size of a piece of a reply, bytes. The client's reading is observed piece by piece.
    private static let piece = 1 << 14
    private var isAnswering = false
    /// Whether a command is in progress without a reply. The session then causes the delay, not the client.
    private var isOwing = false
    /// Whether the connection has ended or was upgraded to a WebSocket.
    private var isOver = false
    private var admission: Admission?
    /// Timeout of the request in progress, or of an idle client.
    private var patience: Admission?

    /// Sets up a connection for HTTP, until it is upgraded to a WebSocket.
    static func configure(_ channel: any Channel, _ site: WebSite, _ count: ConnectionCount) -> EventLoopFuture<Void> {
        guard count.enter(channel) else {
            site.desk.commands.noteTurnedAway()
            return channel.close()
        }
        channel.closeFuture.whenComplete { _ in count.leave(channel) }
        return channel.eventLoop.makeCompletedFuture {
            let upgrader = NIOWebSocketServerUpgrader(
                maxFrameSize: JSONConversation.longest,
                shouldUpgrade: { channel, head in
                    channel.eventLoop.makeSucceededFuture(site.refusal(of: head) == nil ? HTTPHeaders() : nil)
                },
                upgradePipelineHandler: { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(FrameCheck())
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
            hurry(context)
            self.head = head
            body = []
        case .body(let bytes):
            if body.count <= JSONConversation.longest { body += bytes.readableBytesView }
        case .end:
            guard let head else { return }
            waiting = (head, body)
            (self.head, body) = (nil, [])
            rest(context.channel)
            answerWaiting(context)
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        hurry(context)
        if site.access.token != nil { admission = Admission(context.channel, within: site.access.patience) }
    }

    /// Called when the connection is closed, or has become a WebSocket, for which the token was checked.
    func handlerRemoved(context: ChannelHandlerContext) {
        isOver = true
        admission?.grant()
        patience?.grant()
    }

    /// Starts the timeout of an incomplete request.
    private func hurry(_ context: ChannelHandlerContext) {
        patience?.grant()
        patience = Admission(context.channel, within: site.access.patience) { [commands = site.desk.commands] in
            commands.noteTurnedAway()
        }
    }

    /// Restarts the timeout of an idle client. Must be called whenever the client reads or sends.
    private func rest(_ channel: any Channel) {
        guard head == nil, !isOwing, !isOver else { return }
        patience?.grant()
        patience = Admission(channel, within: Self.idle)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        answerWaiting(context)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The request of a refused upgrade is handled like any other request. If it is not permitted, its reply has the
        // reason.
        if error is NIOWebSocketUpgradeError { return }
        // A broken connection, or one that ends within a request, is not counted as refused.
        let isBroken = error is IOError || error is ChannelError || (error as? HTTPParserError) == .invalidEOFState
        if !isBroken { site.desk.commands.noteTurnedAway() }
        context.close(promise: nil)
    }

    /// Replies to the waiting requests in order, as long as the client reads. The pipeline neither passes on nor reads
    /// a request before the previous one has its reply. The end of a reply lets the pipeline pass on the next request
    /// at once, within `answer`. That request is answered after `answer` has returned.
    private func answerWaiting(_ context: ChannelHandlerContext) {
        guard !isAnswering else { return }
        isAnswering = true
        defer { isAnswering = false }
        while context.channel.isWritable, let (head, body) = waiting {
            waiting = nil
            answer(head, body, context)
        }
    }

    private func answer(_ head: HTTPRequestHead, _ body: [UInt8], _ context: ChannelHandlerContext) {
        if let file = site.panelFile(head) {
            if file.status == .forbidden { site.desk.commands.noteTurnedAway() }
            return send(file, head, context.channel)
        }
        if let refusal = site.refusal(of: head) {
            site.desk.commands.noteTurnedAway()
            return send(refusal, head, context.channel)
        }
        admission?.grant()
        switch head.method {
        case .GET, .HEAD:
            let answer = site.look(at: head.uri) ?? .refused(.notFound, "there is nothing at \(head.uri)")
            send(answer, head, context.channel)
        case .POST where head.uri.prefix(while: { $0 != "?" }) == "/command": command(head, body, context.channel)
        default: send(.refused(.methodNotAllowed, "GET, or POST to /command"), head, context.channel)
        }
    }

    private func command(_ head: HTTPRequestHead, _ body: [UInt8], _ channel: any Channel) {
        isOwing = true
        patience?.grant()
        patience = Admission(channel, within: Self.longestCommand)
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let conversation = JSONConversation(
            at: site.desk,
            send: { texts in
                let text = texts.joined()
                // Only the outermost keys of the reply are checked, not keys of a state in the reply.
                let isRefused = JSONValue(parsing: text)?["refused"] != nil
                channel.eventLoop.execute {
                    handler.value.isOwing = false
                    handler.value.send(
                        WebSite.Answer(status: isRefused ? .badRequest : .ok, body: text), head, channel)
                }
            }, wake: {})
        conversation.receive(body)
    }

    /// Sends a reply in pieces. Each piece that is written shows that the client reads. Must be called on the event
    /// loop.
    private func send(_ answer: WebSite.Answer, _ request: HTTPRequestHead, _ channel: any Channel) {
        var headers = HTTPHeaders([
            ("Content-Type", answer.type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ])
        for (name, value) in answer.headers { headers.add(name: name, value: value) }
        var body = ByteBuffer(string: answer.body)
        if answer.status != .noContent { headers.add(name: "Content-Length", value: "\(body.readableBytes)") }
        if !request.isKeepAlive { headers.add(name: "Connection", value: "close") }
        channel.write(
            HTTPServerResponsePart.head(
                HTTPResponseHead(version: request.version, status: answer.status, headers: headers)), promise: nil)
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        while request.method != .HEAD, let piece = body.readSlice(length: min(Self.piece, body.readableBytes)),
            piece.readableBytes > 0
        {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(piece))).whenSuccess {
                handler.value.rest(channel)
            }
        }
        rest(channel)
        let isSent = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if !request.isKeepAlive { isSent.whenComplete { _ in channel.close(promise: nil) } }
    }
}
