import Desk
import Foundation
import Gate
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// HTTP: where the panel is served, its files; `GET /state` (all that is in force), `GET /proscenium/...` (OSC Query),
/// `POST /command` (one request as in `JSONConversation`, answered as there), and the upgrade to a WebSocket at any
/// path, where that conversation goes on.
final class WebHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private static let name = "web"

    private let site: WebSite
    private let count: ConnectionCount
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    /// A whole request that is not answered before the other end has read what it was answered; no more than one comes.
    private var waiting: (head: HTTPRequestHead, body: [UInt8])?
    /// Seconds in which the other end has to read more of an answer, or to ask anew:
    /// one that does neither holds a place.
    private static let idle = 60.0
    /// Seconds that a command may take to be carried out: longer than a set may be silent while it is prepared. A
    /// client that waits longer is let go; the command goes on.
    private static let longestCommand = 1000.0
    /// Bytes of an answer by which it is seen that the other end reads.
    private static let piece = 1 << 14
    private var isAnswering = false
    /// Whether a command is carried out that is not answered yet: it is not the other end that is slow.
    private var isOwing = false
    /// Whether what this connection speaks is no plain HTTP any more.
    private var isOver = false
    private var admission: Admission?
    /// The time that the request under way has to be whole, or the other end to read or to ask.
    private var patience: Admission?

    /// Makes a connection one that speaks HTTP, until it asks for a WebSocket.
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

    /// It speaks as a WebSocket from now on, to which only the token leads, or is gone.
    func handlerRemoved(context: ChannelHandlerContext) {
        isOver = true
        admission?.grant()
        patience?.grant()
    }

    /// Closes the connection unless a whole request has come in time.
    private func hurry(_ context: ChannelHandlerContext) {
        patience?.grant()
        patience = Admission(context.channel, within: site.access.patience) { [commands = site.desk.commands] in
            commands.noteTurnedAway()
        }
    }

    /// Closes the connection where the client neither reads nor asks for a while. Called whenever one of it happened.
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
        // A client that is not let in as a WebSocket is told why, as at any request, which follows.
        if error is NIOWebSocketUpgradeError { return }
        // A connection that breaks has asked for nothing, nor has one that ends amid a request.
        let isBroken = error is IOError || error is ChannelError || (error as? HTTPParserError) == .invalidEOFState
        if !isBroken { site.desk.commands.noteTurnedAway() }
        context.close(promise: nil)
    }

    /// Answers what waits, one after the other, as long as the other end reads: the pipeline hands on no request, and
    /// reads none, before the one before it is answered. A request that comes out of an answer waits for it to return.
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
                // The answer's own word, not one of the state in it.
                let isRefused = JSONValue(parsing: text)?["refused"] != nil
                channel.eventLoop.execute {
                    handler.value.isOwing = false
                    handler.value.send(
                        WebSite.Answer(status: isRefused ? .badRequest : .ok, body: text), head, channel)
                }
            }, wake: {})
        conversation.receive(body)
    }

    /// Answers a request, piece by piece: each that the other end's side takes shows that it reads. On the event loop.
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
