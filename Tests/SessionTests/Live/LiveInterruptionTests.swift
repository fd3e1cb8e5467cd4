import AudioIO
import AudioInMemory
import Desk
import Stages
import Testing

@testable import Session

/// Interruptions of a playing stage, and the return after them.
@Suite(.timeLimit(.minutes(10))) struct LiveInterruptionTests {
    @Test func anInterruptionDucksUntilItEndsOrItsLeaseIsOver() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        let before = LiveRig.level(rig.play(seconds: 0.3))
        var events = rig.live.events.subscribe().makeAsyncIterator()
        await rig.done(.playback(.beginInterruption(name: "guide", .duck(-12), lease: 2)))
        #expect(await events.next() == .interruptionBegan(name: "guide", effect: .duck(-12)))
        rig.play(seconds: 0.3)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before + 12) < 0.2)
        await rig.clock.advance(by: 1.9)
        #expect(await rig.live.status().playback.interruptions.count == 1)
        await rig.clock.advance(by: 0.4)
        #expect(await events.next() == .interruptionEnded(name: "guide", resumes: true))
        rig.play(seconds: 0.3)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before) < 0.2)
        await rig.done(.playback(.beginInterruption(name: "guide", .pause, lease: nil)))
        await rig.done(.playback(.endInterruption(name: "guide", resumes: false)))
        rig.play(seconds: 0.3)
        #expect(LiveRig.level(rig.play()) < -150)
        await rig.done(.playback(.resume))
        rig.play(seconds: 0.3)
        #expect(abs(LiveRig.level(rig.play(seconds: 0.3)) - before) < 0.2)
        try await rig.live.end()
    }

    @Test func anInterruptionEndsWithTheClientThatVouchedForIt() async throws {
        let rig = try await LiveRig()
        rig.server.addClient("guide")
        await rig.done(.playback(.beginInterruption(name: "guide", .duck(-12), lease: nil)))
        await rig.clock.advance(by: 1)
        #expect(await rig.live.status().playback.interruptions.count == 1)
        rig.server.removeClient("guide")
        await rig.clock.advance(by: 0.25)
        #expect(await rig.live.status().playback.interruptions.isEmpty)
        try await rig.live.end()
    }

    @Test func anInputInterruptsWhileItIsConnected() async throws {
        let talk = try InputSettings(parsing: "talk=mono,interrupts=pause")
        let rig = try await LiveRig { $0.stage.programmes.inputs = [talk] }
        try await rig.patch()
        let port = try #require(rig.server.ports.first { $0.hasPrefix("proscenium:in_talk") })
        try #require(rig.server.connect("daw:out_3", to: port))
        try await rig.heard { $0.playback.state == "paused" }
        rig.server.disconnect("daw:out_3", from: port)
        try await rig.heard { $0.playback.state == "playing" }
        try await rig.live.end()
    }

    /// A refused interruption does not count as begun: the input asks again.
    @Test func anInputWhoseInterruptionWasRefusedAsksAgain() async throws {
        let talk = try InputSettings(parsing: "talk=mono,interrupts=pause")
        let rig = try await LiveRig { $0.stage.programmes.inputs = [talk] }
        try await rig.patch()
        for number in 1...Interruptions.most {
            await rig.done(.playback(.beginInterruption(name: "guide \(number)", .duck(-1), lease: nil)))
        }
        let port = try #require(rig.server.ports.first { $0.hasPrefix("proscenium:in_talk") })
        try #require(rig.server.connect("daw:out_3", to: port))
        try #require(rig.server.connect("daw:out_4", to: "proscenium:in_FL"))
        // Connection events arrive in order: after this one the session has handled the one before.
        try #require(rig.server.connect("proscenium:out_L", to: "system:playback_2"))
        try await rig.heard { $0.playback.left.count == 2 }
        #expect(await !rig.live.status().playback.interruptions.map(\.name).contains("talk"))
        await rig.done(.playback(.endInterruption(name: "guide 1", resumes: true)))
        rig.server.disconnect("daw:out_4", from: "proscenium:in_FL")
        try await rig.heard { $0.playback.interruptions.map(\.name).contains("talk") }
        #expect(await rig.live.status().playback.state == "paused")
        try await rig.live.end()
    }
}
