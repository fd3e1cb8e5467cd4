import AudioInMemory
import Rendering
import Signal
import SoundFixtures
import Testing
import Waiting

@testable import AudioIO

/// Counterpart of a JACK server in memory. It runs the same cycle; the test sets the time.
@Suite struct MemoryServerTests {
    private static let ports = ["FL", "FR"].map { StagePort(symbol: $0, prettyName: $0, group: "stereo") }

    /// Returns a server with a player and a stage of two inputs, both connected.
    private func open(
        start: StartPolicy = .firstCycle, mutes: Bool = true, period: Int = 256
    ) throws -> (server: MemoryServer, stage: any StageDriver) {
        let server = MemoryServer(period: period)
        server.addClient("daw", outputs: ["out_1", "out_2"])
        let stage = try server.openStage(name: "stage")
        try stage.activate(renderer: try makeStage(), inputs: Self.ports, start: start, mutesOnRouteLoss: mutes)
        for (output, input) in [("out_1", "FL"), ("out_2", "FR")] {
            try stage.connect("daw:\(output)", to: "stage:in_\(input)")
        }
        return (server, stage)
    }

    private func play(_ sound: [[Float]], on server: MemoryServer) {
        for (channel, row) in sound.enumerated() { server.play(row, on: "daw:out_\(channel + 1)") }
    }

    @Test func itsSamplesAreThoseOfEveryDriver() throws {
        let sound = noise(4096)
        let (server, stage) = try open()
        play(sound, on: server)
        server.run(cycles: 16)
        let plain = MemoryDriver(renderer: try makeStage(), inputCount: 2, sampleRate: .studio)
        #expect(server.takeEars(of: "stage") == plain.run(sound, periods: Array(repeating: 256, count: 16)))
        #expect(server.takeEars(of: "stage") == [[], []])
        stage.close()
    }

    @Test func soundGoesAlongConnectionsAndAddsUp() throws {
        let (server, stage) = try open()
        server.addClient("recorder", inputs: ["in"])
        try stage.connect("stage:out_L", to: "recorder:in")
        try stage.connect("daw:out_1", to: "recorder:in")
        let sound = noise(512)
        play(sound, on: server)
        server.run(cycles: 2)
        let ears = server.takeEars(of: "stage")
        #expect(server.takeArrived(at: "recorder:in") == zip(ears[0], sound[0]).map { $0 + $1 })
        #expect(server.takeArrived(at: "recorder:in").isEmpty)
        stage.close()
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func aPlayerIsHeldWithinItsFileWhateverTheNumber(_ seconds: Double) throws {
        let scratch = try Scratch()
        let writer = try SoundFileWriter(path: scratch("a.wav"), channels: 2, sampleRate: .studio)
        try writer.write(PlanarBlock(channels: 2, frames: 4800), frames: 4800)
        try writer.finish()
        let player = try MemoryServer().openPlayer(
            [PlaylistEntry(scratch("a.wav"))], name: "player", firstFile: 0, seconds: 0)
        player.jump(toFile: 0, seconds: seconds)
        #expect((0...0.1).contains(player.status.seconds))
    }

    @Test func eventsAreToldInTheOrderInWhichTheyHappened() async throws {
        let (server, stage) = try open()
        server.setPeriod(512)
        server.loseFrames(100)
        server.connect("stage:out_L", to: "system:playback_1")
        server.disconnect("stage:out_L", from: "system:playback_1")
        server.setFreewheel(true)
        server.setPeriod(10_000)
        server.setRate(44_100)
        server.shutDown(reason: "of age")
        stage.close()
        var events: [JACKEvent] = []
        for await event in stage.events { events.append(event) }
        // The first three changes of connections: the activation, and one for each input.
        #expect(events.prefix(3).allSatisfy { $0 == .connectionsChanged })
        let microseconds = 100.0 / 48_000 * 1e6
        let told: [JACKEvent] = [
            .periodChanged(frames: 512), .xrun(total: 1, delayMicroseconds: microseconds), .connectionsChanged,
            .routeLost([JACKLink(from: "stage:out_L", to: "system:playback_1")]), .connectionsChanged,
            .freewheel(true), .periodTooLong(frames: 10_000, limit: 8192), .rateChanged(hertz: 44_100),
            .serverLost(reason: "of age"),
        ]
        #expect(Array(events.dropFirst(3)) == told)
    }

    @Test(arguments: [true, false])
    func aLostRouteMutesWhereThatWasAskedFor(mutes: Bool) throws {
        let (server, stage) = try open(mutes: mutes)
        try stage.connectOutputs(to: "physical")
        server.removeClient("system")
        play(noise(2048), on: server)
        server.run(cycles: 8)
        #expect(server.takeEars(of: "stage")[0].suffix(1024).contains { $0 != 0 } != mutes)
        #expect(stage.links.map(\.from) == ["daw:out_1", "daw:out_2"])
        stage.close()
    }

    @Test func aStartIsServedByTheCycleItLiesIn() async throws {
        let (server, stage) = try open(start: .onRequest)
        async let started = stage.requestStart(atFrame: 700)
        #expect(await comes { server.isAskedToStart })
        server.run(cycles: 2)
        #expect(server.isAskedToStart)
        server.run()
        #expect(try await started == 700)
        await #expect(throws: JACKError.startMissed(asked: 10, now: 768)) {
            async let missed = stage.requestStart(atFrame: 10)
            #expect(await comes { server.isAskedToStart })
            server.run()
            return try await missed
        }
        server.hang()
        await #expect(throws: JACKError.startTimedOut) { try await stage.requestStart(atFrame: nil) }
        #expect(!stage.detachSoundTap())
        stage.close()
        await #expect(throws: JACKError.serverGone) { try await stage.requestStart(atFrame: nil) }
    }

    @Test func aLaterStartTakesThePlaceOfOneThatWaits() async throws {
        let (server, stage) = try open(start: .onRequest)
        let far = Task { try await stage.requestStart(atFrame: 1_000_000) }
        #expect(await comes { server.isAskedToStart })
        let near = Task { try await stage.requestStart(atFrame: 700) }
        await #expect(throws: JACKError.startReplaced) { try await far.value }
        server.run(cycles: 3)
        #expect(try await near.value == 700)
        stage.close()
    }

    @Test func latencyIsThatOfConnectedEars() throws {
        let (server, stage) = try open()
        server.setPlaybackLatency(1000)
        #expect(stage.playbackLatency == 0)
        try stage.connectOutputs(to: "physical")
        #expect(stage.playbackLatency == 1000)
        #expect(abs(stage.heardAt(frame: 480) - 1480.0 / 48_000) < 1e-12)
        server.run(cycles: 4)
        #expect(stage.frameTime == 1024 && abs(stage.heardAt(frame: 480) - 1480.0 / 48_000) < 1e-12)
        stage.close()
    }

    @Test func clientsAndPortsAreKnownWhileTheyAreThere() throws {
        let (server, stage) = try open()
        #expect(stage.clientExists("daw") && stage.portExists("daw:out_1") && !stage.portExists("daw:out_3"))
        server.removeClient("daw")
        #expect(!stage.clientExists("daw") && !stage.portExists("daw:out_1") && stage.links.isEmpty)
        let other = try server.openStage(name: "stage")
        #expect(other.name == "stage-01")
        stage.close()
        stage.close()
        #expect(server.clients == ["system", "stage-01"])
        #expect(throws: JACKError.self) { try stage.connect("a", to: "b") }
        other.close()
    }

    @Test func aPlayerPlaysItsFileFromTheFrameAskedFor() throws {
        let scratch = try Scratch()
        let sound = noise(4096)
        let writer = try SoundFileWriter(path: scratch("p.wav"), channels: 2, sampleRate: .studio)
        let block = PlanarBlock(channels: 2, frames: 4096)
        for channel in 0..<2 { for i in 0..<4096 { block[channel][i] = sound[channel][i] } }
        try writer.write(block, frames: 4096)
        try writer.finish()
        let server = MemoryServer()
        server.addClient("recorder", inputs: ["1", "2"])
        // In freewheel the client waits for frames that are not read yet.
        server.setFreewheel(true)
        do {
            let player = try server.openPlayer(
                [PlaylistEntry(scratch("p.wav"))], name: "player", firstFile: 0, seconds: 0)
            try player.connect(to: "recorder")
            let frame = player.cycle(after: 0.01)
            #expect(frame == 512)
            player.play(atFrame: frame)
            server.run(cycles: 20)
            #expect(player.status.hasEnded && player.status.underruns == 0)
        }
        let heard = server.takeArrived(at: "recorder:2")
        #expect(heard.prefix(512).allSatisfy { $0 == 0 } && Array(heard[512..<4608]) == sound[1])
        #expect(server.clients == ["system", "recorder"])
    }
}
