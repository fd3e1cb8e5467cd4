import AudioIO
import AudioInMemory
import Desk
import Foundation
import Geometry
import HeadTracking
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Session
@testable import Trackers

/// Every command of a session, on a playing stage.
@Suite(.timeLimit(.minutes(10))) struct LiveCommandTests {
    /// Returns the yaw of the trackers' pose now, degrees to the left. Not inlined: frames of asynchronous functions do
    /// not keep the alignment of vectors (Swift 6.3).
    @inline(never)
    private func yaw(_ feed: HeadPoseFeed) -> Double { feed.look().pose.quaternion.yaw * 180 / .pi }

    @Test func whatIsNotThereIsRefusedInWords() async throws {
        let rig = try await LiveRig()
        func refused(_ command: SessionCommand, _ words: String, sourceLocation: SourceLocation = #_sourceLocation)
            async
        {
            let answer = await rig.refusal(of: command) ?? "nothing"
            #expect(answer.contains(words), sourceLocation: sourceLocation)
        }
        await refused(.recentre(.yaw), "no head tracker")
        await refused(try .set("reference", "head"), "no head tracker")
        await refused(try .set("follow", "1,1,1"), "no head tracker")
        await refused(try .set("yaw-pull", "1"), "no head tracker")
        await refused(try .set("room", "on"), "no room is loaded")
        await refused(try .set("level", "0", of: "talk"), "there is no input 'talk'; there are main")
        await refused(try .set("upmix", "on", of: "main"), "the input is not upmixed")
        await refused(try .set("upmix", "1,0,1", of: "main"), "the input is not upmixed")
        await refused(try .set("rendition", "stereo", of: "main"), "the input has one rendition only")
        await refused(.preview(.skip(1)), "no file is played here")
        await refused(.playback(.endInterruption(name: "guide", resumes: true)), "none is in progress")
        let asking = Task { await rig.refusal(of: .start(frame: rig.server.frame &- 100_000)) }
        #expect(await eventually { rig.server.isAskedToStart })
        rig.server.run()
        #expect(await asking.value?.contains("had passed") == true)
        try await rig.live.end()
    }

    @Test func aStartIsOnTheFrameAskedForAndSaysWhenItIsHeard() async throws {
        let rig = try await LiveRig { $0.start = .onRequest }
        try await rig.patch()
        #expect(rig.play().joined().allSatisfy { $0 == 0 })
        let frame = rig.server.frame &+ 300
        let asking = Task { await rig.live.perform(.start(frame: frame)) }
        #expect(await eventually { rig.server.isAskedToStart })
        let heard = rig.play()
        guard case .started(let begun, let time) = await asking.value else {
            Issue.record("it did not begin")
            return
        }
        #expect(begun == frame)
        #expect(abs(time - (Double(frame) + 256) / 48_000) < 1e-9)
        #expect(heard[0].prefix(300).allSatisfy { $0 == 0 } && LiveRig.level(heard) > -40)
        #expect(await rig.live.status().streamFrame == Int64(heard[0].count - 300))
        try await rig.live.end()
    }

    @Test func theTransportStartsTheStreamAgainEachTimeItRolls() async throws {
        let rig = try await LiveRig { $0.start = .transport }
        try await rig.patch()
        rig.play(seconds: 0.128)
        rig.server.setTransport(isRolling: true)
        rig.play(seconds: 0.064)
        #expect(await rig.live.status().streamFrame == 3072)
        rig.server.setTransport(isRolling: false)
        rig.play(seconds: 0.064)
        rig.server.setTransport(isRolling: true)
        rig.play(seconds: 0.064)
        #expect(await rig.live.status().streamFrame == 3072)
        try await rig.live.end()
    }

    @Test func aTrackerIsRecentredFollowedAndReferred() async throws {
        let scratch = try Scratch()
        // The head looks 30° to the left for ten minutes, longer than a slow machine needs for this test.
        let rows = (0...6000).map { "\(Double($0) / 10),0.9659258262890683,0,0,0.25881904510252074\n" }
        try ("t,w,x,y,z\n" + rows.joined()).write(toFile: scratch("head.csv"), atomically: true, encoding: .utf8)
        let rig = try await LiveRig { $0.tracking.head = "file:" + scratch("head.csv") }
        let isHeard = await eventually { await rig.refusal(of: .recentre(.reset)) == nil }
        #expect(isHeard)
        let feed = await rig.live.feed
        #expect(await eventually { abs(yaw(feed) - 30) < 1 })
        for axes in [HeadTracker.Recentring.yaw, .full] {
            await rig.done(.recentre(axes))
            #expect(await eventually { abs(yaw(feed)) < 1 }, "\(axes): \(yaw(feed))°")
            await rig.done(.recentre(.reset))
            #expect(await eventually { abs(yaw(feed) - 30) < 1 }, "after \(axes): \(yaw(feed))°")
        }
        for reference in HeadTrackerOptions.Reference.allCases {
            await rig.done(try .set("reference", reference.rawValue))
        }
        await rig.done(try .set("reference", HeadTrackerOptions.Reference.still.rawValue))
        for axes in [HeadTracker.Recentring.yaw, .full, .reset] {
            #expect(await rig.refusal(of: .recentre(axes)) == "tracking is switched off (reference static)")
        }
        await rig.done(try .set("follow", "0.5,0,1"))
        await rig.done(try .set("yaw-pull", "0"))
        #expect(await rig.live.status().head != nil)
        try await rig.live.end()
    }

    /// The commands of each door stay in order, whatever the other door sends in between.
    @Test func twoDoorsAtOnceEachKeepTheirOrder() async throws {
        let talk = try InputSettings(parsing: "talk=mono")
        let rig = try await LiveRig { $0.stage.programmes.inputs = [talk] }
        let names = ["main", "talk"]
        let level = try #require(Parameter.named("level"))
        await withTaskGroup(of: Void.self) { doors in
            for (door, name) in names.enumerated() {
                doors.addTask {
                    for step in 1...500 {
                        await rig.done(
                            .set(ParameterChange(level, .numbers([-Double(step) / 10 - Double(door)]), input: name)))
                    }
                }
            }
        }
        let levels = await rig.live.status().programmes.map(\.level)
        #expect(abs(levels[0] + 50) < 1e-3 && abs(levels[1] + 51) < 1e-3)
        try await rig.live.end()
    }

    /// Every value of a parameter is set, or refused with a reason.
    @Test(arguments: Parameter.all)
    func everyParameterIsSetOrRefusedInWords(_ parameter: Parameter) async throws {
        let rig = try await LiveRig()
        var values = parameter.words.map { ParameterValue.word($0) }
        if !parameter.numbers.isEmpty { values.append(.numbers(parameter.numbers.map(\.range.lowerBound))) }
        for value in values {
            switch await rig.live.perform(.set(ParameterChange(parameter, value))) {
            case .done, .told: break
            case .refused(let reason): #expect(reason.count > 20)
            default: Issue.record("\(parameter.id) was answered otherwise")
            }
        }
        rig.play()
        try await rig.live.end()
    }

    @Test func quittingEndsTheSession() async throws {
        let rig = try await LiveRig()
        await rig.done(.quit)
        try await rig.live.waitForEnd()
        try await rig.live.end()
        #expect(rig.server.clients == ["system", "daw"])
    }
}
