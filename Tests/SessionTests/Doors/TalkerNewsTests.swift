import AudioIO
import AudioInMemory
import AudioMix
import Control
import Desk
import DoorFixtures
import FieldScenes
import Foundation
import OSC
import Stages
import Testing
import Waiting

@testable import Session

/// Talkers that an Audio Mix detects, reported at the doors.
@Suite(.timeLimit(.minutes(10))) struct TalkerNewsTests {
    @Test func aTalkerIsToldAtEveryDoorWhereHeIs() async throws {
        let rig = try await LiveRig {
            $0.stage.layout = "ambi1"
            $0.stage.programmes.mix = .live
        }
        for (number, input) in ["ACN0", "ACN1", "ACN2", "ACN3"].enumerated() {
            try #require(rig.server.connect("daw:out_\(number + 1)", to: "proscenium:in_\(input)"))
        }
        let desk = rig.live.environment.desk
        rig.live.sit(at: desk)
        let path = NSTemporaryDirectory() + "door-\(UUID().uuidString.prefix(8)).sock"
        let (osc, streams) = (try ControlServer(at: ControlAddress(port: 0), desk: desk), StreamDoors(at: desk))
        try await streams.openSocket(at: path)
        let (line, datagrams) = (try #require(DoorPeer(path: path)), try #require(DoorPeer(udp: osc.address.port)))
        line.send("{\"address\":\"subscribe\",\"arguments\":\"meters\"}\n")
        datagrams.send(OSCMessage("/proscenium/subscribe", [.string("meters")]).encoded())
        #expect(await eventually { line.hears("\"talkers\":[]") })
        let before = try #require(await rig.live.status().programmes.last)
        #expect(before.talkers == [])

        var scene = FieldScene(frames: 240_000)
        scene.add(FieldScene.voice(frames: 240_000, seed: 11)) { _ in -60 }
        scene.addDiffuse(level: 0.005, seed: 12)
        for channel in 0..<4 { rig.server.play(scene.rows[channel], on: "daw:out_\(channel + 1)") }
        rig.server.run(seconds: 4.5)
        let found = try #require(await rig.live.status().programmes.last?.talkers)
        #expect(found.count == 1)
        let talker = try #require(found.first)
        #expect(abs(talker.azimuth + 60) < 4 && abs(talker.elevation) < 6, "\(talker)")
        #expect(await eventually { line.hears("\"talkers\":[{\"azimuth\":") })
        #expect(await eventually { datagrams.hears("/proscenium/meters/talkers") })
        await osc.stop()
        await streams.close()
        try await rig.live.end()
    }

    @Test func withoutAMixNobodyIsTold() async throws {
        let rig = try await LiveRig { $0.stage.layout = "ambi1" }
        let programmes = await rig.live.status().programmes
        let field = try #require(programmes.last)
        #expect(field.talkers == nil)
        try await rig.live.end()
    }
}
