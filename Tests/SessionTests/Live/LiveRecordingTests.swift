import AudioIO
import AudioInMemory
import CDevices
import Desk
import Foundation
import HeadTracking
import IMU
import Loading
import MotionLogs
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing
import Trackers
import Waiting

@testable import Session

/// Recordings of a live session: the ears' sound, poses and motion.
@Suite(.timeLimit(.minutes(10))) struct LiveRecordingTests {
    @Test(arguments: [false, true])
    func theRecordingIsWhatTheEarsGot(waits: Bool) async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig { settings in
            settings.record = scratch("ears.wav")
            settings.start = waits ? .onRequest : .firstCycle
        }
        try await rig.patch()
        var heard = rig.play(seconds: 0.2)
        if waits {
            let asking = Task { await rig.live.perform(.start(frame: nil)) }
            #expect(await eventually { rig.server.isAskedToStart })
            heard = rig.play(seconds: 0.2)
            _ = await asking.value
        }
        try await rig.live.end()
        #expect(try WholeSound.read(scratch("ears.wav")) == heard)
        #expect(scratch.contents == ["ears.wav"])
    }

    @Test func posesAndMotionAreRecordedToTheEnd() async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig { settings in
            settings.recordPoses = scratch("poses.csv")
            settings.recordMotion = scratch("motion.log")
        }
        rig.play(seconds: 0.3)
        await rig.clock.advance(by: 0.1)
        await rig.done(try .set("level", "-10", of: "main"))
        rig.play(seconds: 0.3)
        try await rig.live.end()
        #expect(scratch.contents == ["motion.log", "poses.csv"])
        let poses = try String(contentsOfFile: scratch("poses.csv"), encoding: .utf8)
        #expect(poses.hasPrefix("t,w,x,y,z\n0.000000000,1.000000000,"))
        let motion = try MotionRecording(contentsOf: scratch("motion.log"))
        #expect(motion.circumstances.sampleRate == 48_000 && motion.circumstances.layout == "stereo")
    }

    @Test func `The motion log of a scene that is returned to begins with the settings in force`() async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig { $0.recordMotion = scratch("ride.ndjson") }
        try await rig.patch()
        rig.play()
        await rig.done(try .set("level", "-6", of: "main"))
        await rig.change(try .set("scene", "b"))
        rig.play(seconds: 0.2)
        await rig.done(try .set("scene", "a"))
        await rig.settle { await rig.live.staging.transition == nil }
        rig.play(seconds: 0.2)
        try await rig.live.end()
        #expect(scratch.contents == ["ride-2.ndjson", "ride-3.ndjson", "ride.ndjson"])
        for name in ["ride-2.ndjson", "ride-3.ndjson"] {
            let ride = try MotionRecording(contentsOf: scratch(name))
            var (levels, rooms): ([Double], [Bool]) = ([], [])
            for change in ride.changes {
                switch change.state {
                case .input(let input, let controls): if input == "main" { levels.append(Double(controls.level)) }
                case .room(let isOn): rooms.append(isOn)
                case .headphones, .equaliser, .loudspeakers: break
                }
            }
            #expect(!levels.isEmpty && !rooms.isEmpty, "\(name): \(ride.changes)")
            #expect(levels.allSatisfy { abs(20 * log10($0) + 6) < 0.01 }, "\(name): \(levels)")
        }
    }

    /// Two trackers of their own names, which send from two addresses of this machine.
    @Test func `A tracker in place of another one is noted in the motion log`() async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig {
            $0.tracking.head = "udp:\(Ports.free())"
            $0.tracking.memory = TrackerMemory(path: scratch("trackers.json"))
            $0.recordMotion = scratch("ride.ndjson")
        }
        let port = try #require(await rig.live.feed.head?.localPort)
        for (address, name) in [("127.0.0.1", "one"), ("127.0.0.2", "two")] {
            let socket = pcd_udp_open(address, 0)
            defer { pcd_close(socket) }
            let row = Array("device,\(name)\nquat,,,1,0,0,0\n".utf8)
            // The second one is heard once the first one has been silent for a second.
            let isHeard = await eventually {
                _ = pcd_udp_send(socket, row, UInt32(row.count), "127.0.0.1", UInt16(port))
                return await rig.live.feed.head?.id == name
            }
            try #require(isHeard)
        }
        rig.play(seconds: 0.2)
        try await rig.live.end()
        let events = try MotionRecording(contentsOf: scratch("ride.ndjson")).events
        let replaced = events.compactMap {
            if case .replaced(let place, let name, _) = $0 { "\(place.rawValue) \(name)" } else { nil }
        }
        #expect(replaced == ["head two"])
    }

    @Test func aTakeThatNothingWasRecordedIntoIsNotInTheWay() async throws {
        let scratch = try Scratch()
        let writer = try SoundFileWriter(path: scratch("a.wav"), channels: 2, sampleRate: .studio, asTake: true)
        try FileManager.default.copyItem(atPath: scratch("a.wav.part"), toPath: scratch("ears.wav.part"))
        writer.discard()
        let rig = try await LiveRig { $0.record = scratch("ears.wav") }
        #expect(rig.said.notes.count == 1 && rig.said.notes[0].contains("ears.wav.part"))
        rig.play()
        try await rig.live.end()
        #expect(scratch.contents == ["ears.wav"])
    }

    /// A recovered take is reported even if the session fails to begin.
    @Test func whatWasRecoveredIsToldThoughTheSessionFailsToBegin() async throws {
        let scratch = try Scratch()
        try Data("t,w,x,y,z\n0,1,0,0,0\n".utf8).write(to: URL(fileURLWithPath: scratch("poses.csv.part")))
        let server = MemoryServer()
        var refusals = MemoryServer.Refusals()
        refusals.opening = .noServer(detail: "")
        server.refuse(refusals)
        let said = LiveRig.Said()
        await #expect(throws: SessionError.self) {
            _ = try await LiveRig(on: server) {
                $0.recordPoses = scratch("poses.csv")
            } hears: {
                said.add($0)
            }
        }
        #expect(said.notes.count == 1 && said.notes[0].contains("poses-recovered.csv"))
        #expect(scratch.contents == ["poses-recovered.csv"])
    }

    /// After the log has ended early, tracker events are no longer collected: there is no file for them.
    @Test func aMotionLogThatEndsEarlyIsNotCollectedForAnyMore() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let rig = try await LiveRig { $0.recordMotion = scratch("motion.log") }
            try FullDisk.begin(atBytes: 20_000)
            rig.play(seconds: 2)
            let hasEnded = await eventually {
                await rig.clock.advance(by: 0.05)
                return await rig.live.status().recordings.map { $0.ended == nil } == [false]
            }
            #expect(hasEnded)
            for _ in 0..<1000 { await rig.live.feed.recentre(.yaw) }
            #expect(await rig.live.feed.events?.count == 0)
            await #expect(throws: SessionError.self) { try await rig.live.end() }
        }
    }

    @Test func aJournalThatNobodyReadsIsBoundedAndCountsWhatItLoses() {
        let journal = MotionBuffer()
        for number in 0..<MotionBuffer.capacity + 3 { journal.note(.recentre(.yaw, at: Double(number))) }
        #expect(journal.lost == 3 && journal.drain().count == MotionBuffer.capacity)
        journal.note(.recentre(.full, at: 0))
        #expect(journal.drain() == [.recentre(.full, at: 0)] && journal.lost == 3)
    }

    /// A motion log replays the session, equal in every bit.
    @Test func aMotionLogPlaysTheSessionAgain() async throws {
        let scratch = try Scratch()
        var heard: [[[Float]]] = []
        for again in [false, true] {
            let rig = try await LiveRig { settings in
                if again {
                    settings.motion = scratch("motion.log")
                } else {
                    settings.recordMotion = scratch("motion.log")
                }
            }
            try await rig.patch()
            var ears = rig.play(seconds: 0.256)
            if !again { await rig.done(try .set("place", "40", of: "main")) }
            for (ear, more) in rig.play(seconds: 0.256, seed: 3).enumerated() { ears[ear] += more }
            try await rig.live.end()
            heard.append(ears)
        }
        #expect(heard[0] == heard[1])
    }
}

/// The renditions of a session. Serialised, because threads are counted.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LiveRenditionTests {
    private static func twofold(_ settings: inout LiveSettings) {
        settings.stage.layout = "5.1"
        settings.stage.programmes.renditions = RenditionSettings(hasStereo: true, hold: 0.02)
    }

    /// Number of threads of this program that compare renditions.
    private static var watchCount: Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "renditions\n"
        }
    }

    @Test func theRenditionThatIsConnectedPlays() async throws {
        let rig = try await LiveRig(Self.twofold)
        for (number, port) in ["stereo_L", "stereo_R"].enumerated() {
            try #require(rig.server.connect("daw:out_\(number + 1)", to: "proscenium:in_\(port)"))
        }
        rig.play(seconds: 0.5)
        try await rig.heard { $0.programmes[0].renditions?.playing == "stereo" }
        await rig.clock.advance(by: 0.05)
        var events = rig.live.events.subscribe().makeAsyncIterator()
        for (number, port) in ["FL", "FR", "FC", "LFE", "SL", "SR"].enumerated() {
            rig.server.connect("daw:out_\(number + 1)", to: "proscenium:in_\(port)")
        }
        rig.play(channels: 6, seconds: 0.5)
        await rig.done(try .set("rendition", "multichannel", of: "main"))
        rig.play(channels: 6, seconds: 0.5)
        await rig.clock.advance(by: 0.05)
        #expect(await events.next() == .renditionChanged(input: "main", rendition: "multichannel"))
        await rig.done(try .set("rendition", "stereo", of: "main"))
        rig.play(channels: 6, seconds: 0.5)
        #expect(await rig.live.status().programmes[0].renditions?.playing == "stereo")
        try await rig.live.end()
    }

    /// The threads that compare renditions end, too.
    @Test func aSessionThatFailsToBeginEndsWhatItBegan() async throws {
        #expect(await eventually { Self.watchCount == 0 })
        let server = MemoryServer()
        await #expect(throws: SessionError.self) {
            _ = try await LiveRig(on: server) { settings in
                Self.twofold(&settings)
                settings.midiControl = "pedal,note=999"
            }
        }
        #expect(await eventually { Self.watchCount == 0 })
        #expect(server.clients == ["system", "daw"])
    }
}
