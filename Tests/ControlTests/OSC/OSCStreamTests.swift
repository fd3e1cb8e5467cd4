import Desk
import NIOCore
import NIOEmbedded
import OSC
import Testing

@testable import Control

/// OSC over TCP at a door in memory; the test supplies the bytes and the time.
@Suite(.timeLimit(.minutes(10))) struct OSCStreamTests {
    private struct Connection {
        let channel = EmbeddedChannel()

        init(from host: String, token: String?) throws {
            let desk = SessionDesk()
            try channel.pipeline.syncOperations.addHandler(
                OSCStreamHandler(desk, DoorAccess(token: token), ConnectionCount()))
            try channel.connect(to: try SocketAddress(ipAddress: host, port: 5)).wait()
        }

        /// Sends a message. Returns the address and the argument of its answer.
        func ask(_ address: String, _ arguments: [OSCArgument] = []) throws -> (address: String?, said: OSCArgument?) {
            try channel.writeInbound(
                ByteBuffer(bytes: OSCFraming.length.frame(OSCMessage(address, arguments).encoded())))
            guard let bytes = try channel.readOutbound(as: ByteBuffer.self) else { return (nil, nil) }
            var begun = Array(bytes.readableBytesView)
            let packet = try #require(OSCFraming.length.packets(in: &begun, longest: 65_536)?.first)
            let message = try OSCPacket(decoding: packet).messages.first
            return (message?.address, message?.arguments.last)
        }

        func pass(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }
    }

    @Test func anotherMachineSaysTheTokenOnceInAConnection() throws {
        let connection = try Connection(from: "10.0.0.9", token: "word")
        #expect(try connection.ask("/proscenium/subscribe", [.string("events")]).address == "/proscenium/refused")
        #expect(try connection.ask("/proscenium/token", [.string("other")]).address == "/proscenium/refused")
        #expect(try connection.ask("/proscenium/token", [.string("word")]).said == .string("done"))
        #expect(try connection.ask("/proscenium/subscribe", [.string("events")]).said == .string("done"))
        connection.pass(.hours(1))
        #expect(connection.channel.isActive)
    }

    @Test func whoDoesNotSayTheTokenMakesRoom() throws {
        for says in [false, true] {
            let connection = try Connection(from: "10.0.0.9", token: "word")
            if says { _ = try connection.ask("/proscenium/token", [.string("other")]) }
            connection.pass(.milliseconds(9900))
            #expect(connection.channel.isActive)
            connection.pass(.milliseconds(200))
            #expect(!connection.channel.isActive)
        }
    }

    @Test func thisMachineSaysNothing() throws {
        for token in [nil, "word"] {
            let connection = try Connection(from: "127.0.0.1", token: token)
            connection.pass(.hours(1))
            #expect(try connection.ask("/proscenium/subscribe", [.string("events")]).said == .string("done"))
        }
    }
}
