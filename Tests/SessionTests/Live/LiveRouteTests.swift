import AudioIO
import AudioInMemory
import Desk
import Loading
import Rendering
import Signal
import Stages
import Testing

@testable import Session

/// The sound of a live session after the connections of its outputs are lost, for each policy.
@Suite(.timeLimit(.minutes(10))) struct LiveRouteTests {
    @Test func aLostRouteMutesUntilTheListenerResumes() async throws {
        let rig = try await LiveRig { $0.onRouteLoss = .mute }
        try await rig.patch()
        rig.play()
        var events = rig.live.events.subscribe().makeAsyncIterator()
        rig.server.disconnect("proscenium:out_L", from: "system:playback_1")
        #expect(await events.next() == .routeLost(["system:playback_1"]))
        #expect(await events.next() == .routeHeld)
        rig.play()
        #expect(rig.play().joined().allSatisfy { $0 == 0 })
        try #require(rig.server.connect("proscenium:out_L", to: "system:playback_1"))
        try await rig.heard { $0.playback.left == ["system:playback_1"] }
        #expect(rig.play().joined().allSatisfy { $0 == 0 }, "whatever is connected while held stays silent")
        await rig.done(.playback(.resume))
        #expect(await events.next() == .routeResumed(["system:playback_2", "system:playback_1"]))
        #expect(LiveRig.level(rig.play()) > -40)
        try await rig.live.end()
    }

    /// Nothing is resumed to while the ears have no ports; a panel sees that in the state.
    @Test func theStateSaysWhetherTheEarsHavePorts() async throws {
        let rig = try await LiveRig { $0.onRouteLoss = .mute }
        // The state is published after each command.
        func isConnected() async throws -> ParameterValue? {
            await rig.done(try .set("dim", "toggle"))
            return rig.state["ears-connected"]
        }
        #expect(try await isConnected() == .word("off"))
        try await rig.patch()
        #expect(try await isConnected() == .word("on"))
        rig.server.disconnect("proscenium:out_L", from: "system:playback_1")
        rig.server.disconnect("proscenium:out_R", from: "system:playback_2")
        try await rig.heard { $0.playback.state == "held" && ($0.playback.left + $0.playback.right).isEmpty }
        #expect(try await isConnected() == .word("off"))
        try #require(rig.server.connect("proscenium:out_R", to: "system:playback_2"))
        try await rig.heard { $0.playback.right == ["system:playback_2"] }
        #expect(try await isConnected() == .word("on"))
        #expect(rig.state["playback"] == .word("held"))
        try await rig.live.end()
    }

    @Test func anInputWithoutASourceIsNamed() async throws {
        let talk = try InputSettings(parsing: "talk=mono")
        let rig = try await LiveRig { $0.stage.programmes.inputs = [talk] }
        try await rig.heard { $0.playback.unconnectedInputs == ["main", "talk"] }
        try await rig.patch()
        try await rig.heard { $0.playback.unconnectedInputs == ["talk"] }
        let port = try #require(rig.server.ports.first { $0.hasPrefix("proscenium:in_talk") })
        try #require(rig.server.connect("daw:out_3", to: port))
        try await rig.heard { $0.playback.unconnectedInputs == [] }
        try await rig.live.end()
    }

    /// The fade lies within the cycles after the loss: from 5 ms on all is silent.
    @Test func aLossIsMutedWithinFiveMilliseconds() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        rig.server.disconnect("proscenium:out_R", from: "system:playback_2")
        let ears = rig.play()
        #expect(ears.allSatisfy { $0.dropFirst(240).allSatisfy { $0 == 0 } })
        #expect(ears[0].prefix(100).contains { $0 != 0 })
        try await rig.live.end()
    }

    @Test func aRouteThatIsChangedLosesNothing() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.server.addClient("phones", inputs: ["left", "right"], isPhysical: true)
        for (ear, port, old) in [("L", "left", 1), ("R", "right", 2)] {
            rig.server.connect("proscenium:out_\(ear)", to: "phones:\(port)")
            rig.server.disconnect("proscenium:out_\(ear)", from: "system:playback_\(old)")
        }
        try await rig.heard { $0.playback.right == ["phones:right"] }
        #expect(await rig.live.status().playback.state == "playing")
        #expect(LiveRig.level(rig.play()) > -40)
        try await rig.live.end()
    }

    @Test func phonesThatComeBackAreReconnectedWhereAskedFor() async throws {
        let rig = try await LiveRig { $0.onRouteLoss = .reconnect }
        rig.server.addClient("phones", inputs: ["left", "right"])
        for (ear, port) in [("L", "left"), ("R", "right")] {
            try #require(rig.server.connect("proscenium:out_\(ear)", to: "phones:\(port)"))
        }
        try #require(rig.server.connect("daw:out_1", to: "proscenium:in_FL"))
        try await rig.heard { $0.playback.right == ["phones:right"] }
        rig.server.removeClient("phones")
        try await rig.heard { $0.playback.state == "held" }
        await rig.clock.advance(by: 0.25)
        rig.play()
        #expect(rig.play().joined().allSatisfy { $0 == 0 })
        rig.server.addClient("phones", inputs: ["left", "right"])
        await rig.clock.advance(by: 0.25)
        try await rig.heard { $0.playback.state == "playing" && $0.playback.right == ["phones:right"] }
        #expect(LiveRig.level(rig.play()) > -40)
        try await rig.live.end()
    }

    @Test func goingOnIsWhatContinueMeans() async throws {
        let rig = try await LiveRig { $0.onRouteLoss = .continue }
        try await rig.patch()
        var events = rig.live.events.subscribe().makeAsyncIterator()
        rig.server.removeClient("system")
        #expect(await events.next() == .routeLost(["system:playback_1", "system:playback_2"]))
        #expect(LiveRig.level(rig.play()) > -40)
        try await rig.live.end()
    }

    @Test func aSessionThatIsToQuitQuits() async throws {
        let rig = try await LiveRig { $0.onRouteLoss = .quit }
        try await rig.patch()
        rig.server.disconnect("proscenium:out_L", from: "system:playback_1")
        let error = await #expect(throws: SessionError.self) { try await rig.live.waitForEnd() }
        #expect("\(try #require(error))".contains("the ears lost system:playback_1"))
        #expect(error?.fault == .environment)
        try await rig.live.end()
    }

    @Test func whatIsLostInFreewheelCountsWhenItEnds() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.server.setFreewheel(true)
        rig.server.disconnect("proscenium:out_L", from: "system:playback_1")
        try await rig.heard { $0.freewheeling && $0.playback.left.isEmpty }
        #expect(await rig.live.status().playback.state == "playing")
        rig.server.setFreewheel(false)
        try await rig.heard { $0.playback.state == "held" }
        try await rig.live.end()
    }

    /// The audio thread mutes by itself. Without a message of the server the session reports it after a second.
    @Test func aMutingThatNobodyTellsOfIsToldAfterASecond() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        await rig.live.stage.assembly.renderer.gate.pointee.close()
        await rig.clock.advance(by: 0.9)
        #expect(await rig.live.status().playback.state == "playing")
        await rig.clock.advance(by: 0.2)
        #expect(await rig.live.status().playback.state == "held")
        try await rig.live.end()
    }

    @Test func theStateIsPublishedForOtherClients() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        let published = try #require(rig.server.published(by: "proscenium"))
        #expect(published.contains(#""state":"playing""#) && published.contains("system:playback_1"))
        rig.server.disconnect("proscenium:out_L", from: "system:playback_1")
        try await rig.heard { $0.playback.state == "held" }
        #expect(rig.server.published(by: "proscenium")?.contains(#""lost":["system:playback_1"]"#) == true)
        try await rig.live.end()
    }
}
