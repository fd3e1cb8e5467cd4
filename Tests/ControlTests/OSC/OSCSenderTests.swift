import CDevices
import Desk
import Foundation
import OSC
import Stages
import Synchronization
import Testing
import Waiting

@testable import Control

/// Packets of other programs' OSC senders that differ from those of this program.
@Suite(.timeLimit(.minutes(10))) struct OSCSenderTests {
    @Test(arguments: [
        ("/proscenium/input/*/level", "input/main/level", true),
        ("/proscenium/input/*/level", "input/main/mute", false),
        ("/proscenium/*/main/level", "input/main/level", true), ("/proscenium/*", "input/main/level", false),
        ("/proscenium/input/m?in/level", "input/main/level", true),
        ("/proscenium/input/m?in/level", "input/min/level", false),
        ("/proscenium/loudspeaker/[FS][LR]/mute", "loudspeaker/SL/mute", true),
        ("/proscenium/loudspeaker/[!A-E]L/mute", "loudspeaker/BL/mute", false),
        ("/proscenium/loudspeaker/{FL,FR,FC}/solo", "loudspeaker/FC/solo", true),
        ("/proscenium/loudspeaker/{FL,FR}/solo", "loudspeaker/FC/solo", false),
        ("/proscenium/ga*", "gain", true), ("/proscenium/[a", "a", false), ("/proscenium/{a", "a", false),
        (
            "/proscenium/ga**************************************************b",
            "gaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false
        ),
    ]) func `A pattern matches as OSC 1.0 has it`(_ pattern: String, _ address: String, _ matches: Bool) throws {
        let pattern = try #require(AddressPattern(pattern))
        #expect(pattern.matches("/proscenium/" + address) == matches)
    }

    @Test func `A plain address is no pattern, and none matches a command`() {
        #expect(AddressPattern("/proscenium/level") == nil)
        let state = ["input/main/level", "input/choir/level", "gain"]
        let messages = AddressPattern.messages(OSCMessage("/proscenium/*"), among: state) ?? []
        #expect(!messages.contains { $0.address == "/proscenium/quit" })
        #expect(messages.contains { $0.address == "/proscenium/gain" })
        let levels = AddressPattern.messages(OSCMessage("/proscenium/input/*/level", [.int32(-4)]), among: state)
        #expect(levels?.map(\.address) == ["/proscenium/input/choir/level", "/proscenium/input/main/level"])
        let polarity = AddressPattern.messages(
            OSCMessage("/proscenium/loudspeaker/F?/polarity", [.int32(1)]), among: ["loudspeaker/FL/polarity"])
        #expect(polarity?.map(\.address) == ["/proscenium/loudspeaker/FL/polarity"])
    }

    @Test func `SLIP with END behind its packets alone is heard`() throws {
        let packet = OSCMessage("/proscenium/level", [.float(-9)]).encoded()
        var stream = packet + [0xC0] + packet + [0xC0]
        let framing = OSCFraming(firstByte: stream[0])
        #expect(framing == .slip)
        #expect(framing.packets(in: &stream, longest: 65_536) == [packet, packet])
        #expect(OSCFraming(firstByte: UInt8(ascii: "#")) == .slip)
        #expect(OSCFraming(firstByte: 0) == .length)
    }

    /// A session's door, and a client that sends from a socket on the same loopback.
    private struct Peer {
        let socket: Int32
        init(_ address: ControlAddress) { socket = pcd_udp_connect(address.host, UInt16(address.port)) }

        /// Sends bytes. Returns the answer.
        func ask(_ bytes: [UInt8]) async -> OSCMessage? {
            _ = pcd_write(socket, bytes, UInt32(bytes.count))
            guard await comes({ pcd_wait(socket, -1, 0) & 1 != 0 }) else { return nil }
            var answer = [UInt8](repeating: 0, count: 65_536)
            let count = pcd_read(socket, &answer, 65_536)
            return count > 0 ? (try? OSCPacket(decoding: Array(answer[..<Int(count)])))?.messages.first : nil
        }
    }

    private static func bytes(_ address: String, _ tags: String?, _ rest: [UInt8] = []) -> [UInt8] {
        func padded(_ text: String) -> [UInt8] {
            let bytes = Array(text.utf8) + [0]
            return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        }
        return padded(address) + (tags.map { padded("," + $0) } ?? []) + rest
    }

    @Test func `What cannot be read is answered, and an address alone and an array are read`() async throws {
        let done = Mutex<[SessionCommand]>([])
        let (server, _, address) = try serve { command in
            done.withLock { $0.append(command) }
            return .done
        }
        let peer = Peer(address)
        defer { pcd_close(peer.socket) }
        let five = withUnsafeBytes(of: Float(-5).bitPattern.bigEndian) { Array($0) }
        #expect(await peer.ask(Self.bytes("/proscenium/gain", "[f]", five))?.address == "/proscenium/reply")
        #expect(await peer.ask(Self.bytes("/proscenium/undo", nil))?.address == "/proscenium/reply")
        #expect(done.withLock { $0 } == [.set(try ParameterChange("gain", ["-5"])), .history(.undo)])
        for unreadable in [Self.bytes("/proscenium/gain", nil, five), Self.bytes("/proscenium/gain", "Q", five)] {
            let answer = await peer.ask(unreadable)
            #expect(answer?.address == "/proscenium/refused")
            #expect(answer?.arguments.first == .string("/proscenium/gain"))
        }
        let later = OSCTimeTag(seconds: Date().timeIntervalSince1970 + OSCTimeTag.secondsTo1970 + 600)
        let held = await peer.ask(OSCPacket.bundle(later, [.message(OSCMessage("/proscenium/undo"))]).encoded())
        #expect(held?.arguments.last == .string("1 message is held until the bundle's time"))
        let tooLate = OSCTimeTag(seconds: later.seconds + OSCSchedule.horizon)
        let dropped = await peer.ask(OSCPacket.bundle(tooLate, [.message(OSCMessage("/proscenium/undo"))]).encoded())
        #expect(
            dropped?.arguments.last
                == .string(
                    "1 message for a later time not accepted: at most 256 of one sender and 1024 of all senders may "
                        + "wait, for one hour at most"))
        await server.stop()
    }

    @Test func `A pattern is answered once`() async throws {
        let done = Mutex<[SessionCommand]>([])
        let queue = CommandQueue()
        queue.serve { command in
            done.withLock { $0.append(command) }
            return .done
        }
        let server = try ControlServer(at: ControlAddress(port: 0), desk: SessionDesk(commands: queue))
        let peer = Peer(server.address)
        defer { pcd_close(peer.socket) }
        let answer = await peer.ask(OSCMessage("/proscenium/monitor-{mute,level}", [.string("nonsense")]).encoded())
        #expect(answer?.address == "/proscenium/refused")
        #expect(
            await peer.ask(OSCMessage("/proscenium/ga?n", [.float(-3)]).encoded())?.arguments.last
                == .string("done at 1 address"))
        #expect(await peer.ask(OSCMessage("/proscenium/x*", [.float(-3)]).encoded())?.address == "/proscenium/refused")
        #expect(done.withLock { $0 } == [.set(try ParameterChange("gain", ["-3"]))])
        await server.stop()
    }

    @Test(arguments: [
        ("127.0.0.1:80", "http://127.0.0.1:80/"), ("0.0.0.0:80", "http://127.0.0.1:80/"),
        ("[::1]:80", "http://[::1]:80/"), ("[::]:80", "http://[::1]:80/"), ("localhost:80", "http://localhost:80/"),
    ])
    func `A page is at an address that a browser opens`(address: String, page: String) throws {
        #expect(try #require(ControlAddress(address)).page == page)
    }

    @Test func `IPv6 is an address as IPv4 is`() async throws {
        #expect(ControlAddress("[::1]:9150") == ControlAddress(host: "::1", port: 9150))
        #expect(ControlAddress("[::1]:9150")?.description == "[::1]:9150")
        for wrong in ["::1:9150", "[::1]", "[::1]9150", "[]:9150", "[127.0.0.1]:1", "[::1]:0"] {
            #expect(ControlAddress(wrong) == nil)
        }
        let queue = CommandQueue()
        queue.serve { _ in .done }
        guard
            let server = try? ControlServer(
                at: ControlAddress(host: "::1", port: 0), desk: SessionDesk(commands: queue))
        else { return }
        #expect(
            await Peer(server.address).ask(OSCMessage("/proscenium/undo").encoded())?.address == "/proscenium/reply")
        let text = try await ControlClient.request(.history(.undo), at: server.address, timeout: .seconds(60))
        #expect(text == "done")
        await server.stop()
    }
}
