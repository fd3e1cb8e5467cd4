import Desk
import DoorFixtures
import NIOCore
import NIOEmbedded
import Stages
import Testing

@testable import Control

/// HTTP at a door in memory; the test supplies the bytes and the time.
@Suite(.timeLimit(.minutes(10))) struct WebDoorTests {
    /// A connection to the web door of a session with some state.
    private struct Connection {
        let channel = EmbeddedChannel()
        let count = ConnectionCount()
        let desk = SessionDesk()
        /// Count of refused requests and connections.
        var turnedAway: Int { desk.commands.counts.turnedAway }

        init(token: String? = nil) throws {
            desk.state.enter(["mode": .word("tracked"), "input/main/level": .numbers([-3])])
            let site = WebSite(
                desk: desk, access: DoorAccess(token: token), address: ControlAddress(port: 8080), oscPort: 9150)
            try WebHandler.configure(channel, site, count).wait()
            try channel.connect(to: try SocketAddress(ipAddress: "10.0.0.9", port: 5)).wait()
        }

        /// Sends requests in one piece. Returns all answers.
        func ask(_ paths: [String], _ header: String = "") throws -> String {
            let text = paths.map { "GET \($0) HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\(header)\r\n" }.joined()
            try channel.writeInbound(ByteBuffer(string: text))
            return try answers()
        }

        func answers() throws -> String {
            var all = ""
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { all += String(buffer: bytes) }
            return all
        }

        /// Sends one request. Returns the status of its answer.
        func status(_ path: String, _ header: String = "") throws -> Int? {
            let words = try ask([path], header).split(separator: " ", maxSplits: 2)
            return words.count > 1 ? Int(words[1]) : nil
        }

        func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }
    }

    private static let odd = [
        "/?=", "/?a&=", "/?&", "/?%zz", "/?token", "/?=&=", "/??", "/?VALUE=", "/?=VALUE", "/?token=%",
    ]

    @Test(arguments: odd) func aQueryThatIsNoneHarmsNobody(_ path: String) throws {
        let connection = try Connection()
        #expect([200, 204].contains(try connection.status(path)))
        // A client without the token gets no answer but 401; one with the token does.
        let guarded = try Connection(token: "word")
        #expect(try guarded.status(path) == 401)
        #expect([200, 204].contains(try guarded.status(path, "Authorization: Bearer word\r\n")))
        #expect(try guarded.status("/state") == 401)
    }

    @Test func aTokenIsSaidInAHeaderOrInTheQuery() throws {
        let connection = try Connection(token: "open sesame")
        #expect(try connection.status("/state") == 401)
        #expect(try connection.status("/state?token=open%20sesame") == 200)
        #expect(try connection.status("/state", "Authorization: Bearer open sesame\r\n") == 200)
        #expect(try connection.status("/state", "Authorization: Bearer sesame\r\n") == 401)
        #expect(try connection.status("/state?token=") == 401)
    }

    @Test func oneAttributeIsAskedForByItsName() throws {
        let connection = try Connection()
        #expect(try connection.ask(["/proscenium/input/main/level?VALUE"]).hasSuffix("{\"VALUE\":[-3]}"))
        #expect(try connection.ask(["/proscenium/input/main/level?token=x&VALUE"]).hasSuffix("{\"VALUE\":[-3]}"))
        #expect(try connection.status("/proscenium/input/main/level?CRITICAL") == 204)
    }

    @Test func whoDoesNotReadIsNotAnswered() throws {
        let connection = try Connection()
        connection.channel.isWritable = false
        #expect(try connection.ask(Array(repeating: "/state", count: 5000)).isEmpty)
        // All answers are sent at once, in the order of the requests, however many there are.
        connection.channel.isWritable = true
        connection.channel.pipeline.fireChannelWritabilityChanged()
        let answers = try connection.answers()
        #expect(answers.split(separator: "HTTP/1.1 200 OK").count == 5000)
        #expect(try connection.status("/nothing") == 404)
    }

    @Test func whoDoesNotSayTheTokenMakesRoom() throws {
        let silent = try Connection(token: "word")
        silent.pass(.milliseconds(9900))
        #expect(silent.channel.isActive)
        silent.pass(.milliseconds(200))
        #expect(!silent.channel.isActive)
        let wrong = try Connection(token: "word")
        #expect(try wrong.status("/state?token=other") == 401)
        wrong.pass(.seconds(11))
        #expect(!wrong.channel.isActive)
    }

    @Test func aRequestThatNeverEndsHoldsNoPlace() throws {
        let silent = try Connection(), slow = try Connection()
        #expect(try slow.status("/state") == 200)
        slow.pass(.seconds(59))
        for part in ["POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 30\r\n\r\n", "{"] {
            try slow.channel.writeInbound(ByteBuffer(string: part))
            slow.pass(.seconds(4))
        }
        #expect(slow.channel.isActive)
        slow.pass(.seconds(4))
        silent.pass(.seconds(11))
        #expect(!slow.channel.isActive && !silent.channel.isActive)
        #expect(slow.turnedAway == 1 && silent.turnedAway == 1)
    }

    /// The reading end of a connection, which reads only when the test calls `take`.
    private final class SlowReader: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        private var held: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
        /// Count of writes that wait.
        var count: Int { held.count }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            held.append((data, promise))
        }

        func flush(context: ChannelHandlerContext) {}

        func handlerRemoved(context: ChannelHandlerContext) {
            for (_, promise) in held { promise?.fail(ChannelError.ioOnClosedChannel) }
            held = []
        }

        /// Reads the first `count` of the waiting writes.
        func take(_ count: Int, _ channel: EmbeddedChannel) throws {
            let context = try channel.pipeline.syncOperations.context(handler: self)
            for (data, promise) in held.prefix(count) { context.write(data, promise: promise) }
            held.removeFirst(min(count, held.count))
            context.flush()
        }
    }

    @Test func whoReadsSlowlyIsAnsweredAndWhoDoesNotReadMakesRoom() throws {
        for isReading in [true, false] {
            let connection = try Connection()
            connection.desk.state.enter(["mode": .word(String(repeating: "x", count: 100_000))])
            let reader = SlowReader()
            try connection.channel.pipeline.syncOperations.addHandler(reader, position: .first)
            #expect(try connection.ask(["/state"]).isEmpty)
            let writes = reader.count
            #expect(writes > 6)
            // The first write holds the head; more writes follow.
            try reader.take(1, connection.channel)
            var answer = try connection.answers()
            for taken in 1..<(isReading ? writes - 1 : 4) {
                connection.pass(.seconds(50))
                #expect(connection.channel.isActive, "after \(taken) of \(writes)")
                // The end of the answer comes together with the last piece.
                try reader.take(taken == writes - 2 ? 2 : 1, connection.channel)
                answer += try connection.answers()
            }
            connection.pass(.seconds(59))
            #expect(connection.channel.isActive)
            connection.pass(.seconds(2))
            #expect(!connection.channel.isActive && connection.turnedAway == 0)
            #expect((answer.utf8.count > 100_000) == isReading)
        }
    }

    /// A client that waits for a slow command is not idle.
    @Test func whoWaitsForACommandStays() throws {
        let connection = try Connection()
        // A command that never ends.
        connection.desk.commands.serve { _ in await withUnsafeContinuation { (_: UnsafeContinuation<_, Never>) in } }
        let body = "{\"address\":\"/proscenium/recentre\"}"
        try connection.channel.writeInbound(
            ByteBuffer(
                string: "POST /command HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body))
        #expect(try connection.answers().isEmpty)
        connection.pass(.minutes(15))
        #expect(connection.channel.isActive)
        connection.pass(.minutes(2))
        #expect(!connection.channel.isActive)
    }

    @Test func whoseCommandIsAnsweredHasTheTimeOfAnybody() throws {
        let connection = try Connection()
        let body = "no request"
        try connection.channel.writeInbound(
            ByteBuffer(
                string: "POST /command HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                    + body))
        connection.channel.embeddedEventLoop.run()
        #expect(try connection.answers().hasPrefix("HTTP/1.1 400"))
        connection.pass(.seconds(59))
        #expect(connection.channel.isActive)
        connection.pass(.seconds(2))
        #expect(!connection.channel.isActive && connection.turnedAway == 0)
    }

    @Test func whoIsTurnedAwayIsCounted() throws {
        let guarded = try Connection(token: "word")
        #expect(try guarded.status("/state") == 401)
        #expect(try guarded.status("/state?token=word", "Origin: http://elsewhere.example\r\n") == 403)
        #expect(guarded.turnedAway == 2)
        #expect(try guarded.status("/state?token=word") == 200)
        let strange = try Connection()
        try strange.channel.writeInbound(ByteBuffer(string: "GET /state HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n"))
        #expect(try strange.answers().hasPrefix("HTTP/1.1 403") && strange.turnedAway == 1)
        // Bytes that are not HTTP end the connection.
        _ = try? strange.channel.writeInbound(ByteBuffer(string: "\u{1}\u{2} nonsense\r\n\r\n"))
        #expect(!strange.channel.isActive && strange.turnedAway == 2)
    }

    /// Frames that a client must not send: unmasked, with a reserved bit, of an undefined opcode, a fragmented control
    /// frame, longer than any request.
    @Test(
        arguments: [
            [0x81, 0x02, 0x7B, 0x7D], [0xC1, 0x82, 0, 0, 0, 0, 0x7B, 0x7D], [0x83, 0x82, 0, 0, 0, 0, 0x7B, 0x7D],
            [0x09, 0x80, 0, 0, 0, 0], [0x81, 0xFF, 0, 0, 0, 0, 0x7F, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func aFrameThatIsNoneEndsTheConversation(_ bytes: [UInt8]) throws {
        let connection = try Connection()
        let upgrade =
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Version: 13\r\n"
        _ = try connection.ask(["/"], upgrade)
        connection.channel.embeddedEventLoop.run()
        try connection.channel.writeInbound(ByteBuffer(bytes: DoorPeer.frame("{\"address\":\"picture\"}")))
        #expect(connection.turnedAway == 0 && connection.channel.isActive)
        _ = try? connection.channel.writeInbound(ByteBuffer(bytes: bytes))
        connection.channel.embeddedEventLoop.run()
        #expect(connection.turnedAway == 1 && !connection.channel.isActive)
    }

    @Test func whoSaysTheTokenOrNeedsNoneStaysWhileTheyAsk() throws {
        let known = try Connection(token: "word")
        #expect(try known.status("/state?token=word") == 200)
        let open = try Connection()
        #expect(try open.status("/state") == 200)
        for connection in [known, open] {
            connection.pass(.seconds(59))
            #expect(connection.channel.isActive)
        }
        #expect(try known.status("/state?token=word") == 200)
        // A client without requests for a minute is disconnected, and is not counted among the refused.
        for connection in [known, open] {
            connection.pass(.seconds(61))
            #expect(!connection.channel.isActive && connection.turnedAway == 0)
        }
    }

    @Test func aWebSocketStaysForWhoSaysTheToken() throws {
        let upgrade =
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Sec-WebSocket-Version: 13\r\n"
        let stranger = try Connection(token: "word")
        #expect(try stranger.status("/", upgrade) == 401)
        let known = try Connection(token: "word")
        let begun = try known.ask(["/?token=word"], upgrade)
        known.channel.embeddedEventLoop.run()
        #expect((begun + (try known.answers())).hasPrefix("HTTP/1.1 101 "))
        known.pass(.hours(1))
        #expect(known.channel.isActive)
    }
}
