import Desk
import Foundation
import HeadTracking
import OSC
import Testing
import Waiting

@testable import Control
@testable import Session

/// A session that plays, with clients at every door.
@Suite(.timeLimit(.minutes(10))) struct ManySubscribersTests {
    /// The doors of a session, on real sockets.
    private struct Doors {
        let path = NSTemporaryDirectory() + "door-\(UUID().uuidString.prefix(8)).sock"
        let osc: ControlServer
        let streams: StreamDoors
        let web: Int

        init(_ desk: SessionDesk, token: String? = nil) async throws {
            let access = DoorAccess(token: token)
            osc = try ControlServer(at: ControlAddress(port: 0), desk: desk, access: access)
            streams = StreamDoors(at: desk, access: access)
            try await streams.openSocket(at: path)
            #expect(try await streams.openOSC(at: osc.address))
            web = try await streams.openWeb(at: ControlAddress(port: 0), oscPort: osc.address.port).port
        }

        func close() async {
            await osc.stop()
            await streams.close()
        }

        /// Five subscribers at each of four doors.
        func subscribers() async throws -> [(door: String, peer: DoorPeer)] {
            var all: [(door: String, peer: DoorPeer)] = []
            let subscribe = OSCMessage("/proscenium/subscribe").encoded()
            for _ in 0..<5 {
                let line = try #require(DoorPeer(path: path))
                line.send("{\"address\":\"subscribe\"}\n")
                let stream = try #require(DoorPeer(port: osc.address.port))
                stream.send(OSCFraming.length.frame(subscribe))
                let datagrams = try #require(DoorPeer(udp: osc.address.port))
                datagrams.send(subscribe)
                let socket = try #require(DoorPeer(port: web))
                socket.send(DoorPeer.upgrade())
                #expect(await eventually { socket.hears("101 Switching Protocols") })
                socket.send(DoorPeer.frame("{\"address\":\"subscribe\"}"))
                all += [("socket", line), ("TCP", stream), ("UDP", datagrams), ("WebSocket", socket)]
            }
            return all
        }
    }

    /// Plays a programme whose level changes 48 times; what the ears got, `[ear][frame]`.
    private static func programme(
        _ rig: LiveRig, each: (Int) async throws -> Void = { _ in }
    ) async throws -> [[Float]] {
        var ears: [[Float]] = [[], []]
        for step in 0..<48 {
            await rig.done(try .set("level", "\(-Double(step) / 8)", of: "main"))
            await rig.done(try .set("loudspeaker-mute", step % 5 == 4 ? "on" : "off", of: "FR"))
            let played = rig.play(seconds: 0.05, seed: UInt64(step))
            for ear in 0..<2 { ears[ear] += played[ear] }
            try await each(step)
        }
        return ears
    }

    @Test func `Twenty subscribers, one of whom never reads, change no bit of the sound and hold no memory`()
        async throws
    {
        let alone = try await LiveRig()
        try await alone.patch()
        let heardAlone = try await Self.programme(alone)
        try await alone.live.end()

        let rig = try await LiveRig()
        try await rig.patch()
        let desk = rig.live.environment.desk
        rig.live.sit(at: desk)
        let doors = try await Doors(desk)
        let all = try await doors.subscribers()
        #expect(all.count == 20)
        // The first never reads, and asks for more than it could ever be sent;
        // so does a client that came for nothing else.
        let (sleeper, others) = (all[0].peer, all.dropFirst())
        let request = "{\"address\":\"status\"}\n"
        let web = try #require(DoorPeer(port: doors.web))
        let questions = String(repeating: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", count: 500)
        var (waiting, asked) = (0, 0)
        let heard = try await Self.programme(rig) { _ in
            sleeper.send(String(repeating: request, count: 1000))
            asked += web.send(questions)
            waiting = max(waiting, await doors.streams.waitingBytes().max() ?? 0)
            for (_, peer) in others { _ = peer.read() }
        }
        #expect(heard == heardAlone)
        // What a connection holds before it is not written to, and one answer more: all addresses, or the status.
        #expect(asked > 100_000 && waiting > 0 && waiting < 2 << 20, "\(waiting) bytes waited, \(asked) asked")
        // All other subscribers were told the last value.
        for (door, peer) in others {
            let isJSON = door == "socket" || door == "WebSocket"
            let last = isJSON ? "\"input\\/main\\/level\":-5.875" : "/proscenium/input/main/level"
            #expect(
                await comes { peer.hears(last) }, "\(door): \(String(decoding: peer.read().suffix(600), as: UTF8.self))"
            )
        }
        await doors.close()
        try await rig.live.end()
    }

    @Test func `A client that does not say the token is heard at no door but those of this machine`() async throws {
        let desk = SessionDesk()
        desk.commands.serve { $0 == .recentre(.full) ? .done : .refused("no") }
        let doors = try await Doors(desk, token: "word")
        func ask(_ path: String, _ header: String = "") async throws -> String {
            let peer = try #require(DoorPeer(port: doors.web))
            peer.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(header)Connection: close\r\n\r\n")
            #expect(await eventually { peer.hears("\r\n\r\n") })
            return String(decoding: peer.read(), as: UTF8.self)
        }
        #expect(try await ask("/state").hasPrefix("HTTP/1.1 401"))
        #expect(try await ask("/state", "Authorization: Bearer word\r\n").hasPrefix("HTTP/1.1 200"))
        #expect(try await ask("/proscenium/mode?token=word").hasPrefix("HTTP/1.1 200"))
        let stranger = try #require(DoorPeer(port: doors.web))
        stranger.send(DoorPeer.upgrade())
        #expect(
            await comes { stranger.hears("401 Unauthorized") }, "\(String(decoding: stranger.read(), as: UTF8.self))")
        let known = try #require(DoorPeer(port: doors.web))
        known.send(DoorPeer.upgrade("/?token=word"))
        #expect(await eventually { known.hears("101 Switching Protocols") })
        known.send(DoorPeer.frame("{\"id\":1,\"address\":\"recentre\",\"arguments\":\"full\"}"))
        #expect(await eventually { known.hears("{\"id\":1,\"reply\":\"done\"}") })
        // OSC asks nothing of this machine.
        let stream = try #require(DoorPeer(port: doors.osc.address.port))
        stream.send(OSCFraming.length.frame(OSCMessage("/proscenium/recentre/full").encoded()))
        #expect(await eventually { stream.hears("done") })
        await doors.close()
    }

    @Test func `A place that a silent connection takes is given to another`() async throws {
        let desk = SessionDesk()
        let streams = StreamDoors(at: desk, access: DoorAccess(token: "word", patience: 0.2))
        let web = try await streams.openWeb(at: ControlAddress(port: 0), oscPort: nil).port
        let silent = try (0..<ConnectionCount.most).map { _ in try #require(DoorPeer(port: web)) }
        #expect(
            await eventually {
                guard let peer = DoorPeer(port: web) else { return false }
                peer.send("GET /state?token=word HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                for _ in 0..<100 where !peer.hears("200 OK") { try? await Task.sleep(for: .milliseconds(1)) }
                return peer.hears("200 OK")
            })
        #expect(silent.count == ConnectionCount.most)
        await streams.close()
    }
}
