import DoorFixtures
import Foundation
import OSC
import Testing
import Waiting

@testable import Control
@testable import Session

/// A playing session with clients at every door.
@Suite(.timeLimit(.minutes(10))) struct ManySubscribersTests {
    /// Plays a programme whose level changes 48 times and returns the ears, `[ear][frame]`.
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
        let doors = try await EveryDoor(desk)
        let all = try await doors.subscribers()
        #expect(all.count == 20)
        // The first subscriber never reads, and requests more than can be sent; so does a further web client.
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
        // A connection holds no more than the backlog at which writing stops, and one more answer.
        #expect(asked > 100_000 && waiting > 0 && waiting < 2 << 20, "\(waiting) bytes waited, \(asked) asked")
        // All other subscribers received the last value.
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
}

extension EveryDoor {
    /// Returns five subscribers at each of four doors.
    fileprivate func subscribers() async throws -> [(door: String, peer: DoorPeer)] {
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
