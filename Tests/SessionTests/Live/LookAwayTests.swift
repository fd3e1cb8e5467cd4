import AudioIO
import AudioInMemory
import Desk
import Foundation
import Geometry
import IMU
import SoundFixtures
import Stages
import Synchronization
import Testing
import Trackers
import Waiting

@testable import Session

/// The level of a listener who looks away from the stage.
@Suite struct LookAwayTests {
    private static let limits = AwayWatch.Limits(angle: .pi / 3, delay: 10)

    @Test func onlyAHeadThatStaysAwayIsAway() {
        var watch = AwayWatch()
        func look(_ degrees: Double?, at now: Double) -> Bool {
            watch.look(degrees.map { $0 * .pi / 180 }, Self.limits, at: now)
            return watch.isAway
        }
        #expect(!look(61, at: 0) && !look(90, at: 9.9) && look(90, at: 10))
        // Ten degrees of hysteresis: a head at the limit switches nothing.
        #expect(look(51, at: 11) && !look(49, at: 12))
        // The time begins anew.
        #expect(!look(61, at: 13) && !look(61, at: 22) && look(61, at: 23))
        // Without poses of the tracker the level returns.
        #expect(!look(nil, at: 24) && !look(59, at: 40) && !look(59, at: 60))
    }

    @Test(arguments: [(0.0, 0.0, 0.0), (90, 0, 90), (0, 90, 90), (180, 0, 180), (60, 60, 75.522)])
    func theAngleCountsInEveryDirectionAndNotByRoll(yaw: Double, pitch: Double, angle: Double) {
        let degrees = Double.pi / 180
        let turn = Quaternion(rotationVector: SIMD3(0, 0, yaw * degrees))
        let nod = Quaternion(rotationVector: SIMD3(0, -pitch * degrees, 0))
        let tilt = Quaternion(rotationVector: SIMD3(0.7, 0, 0))
        #expect(abs(AwayWatch.angle(turn * nod * tilt) / degrees - angle) < 1e-3)
    }

    /// Poses over stream time: front, from 1 s on left by 90°, from 6 s on the front again.
    private static func rig() async throws -> (LiveRig, file: URL) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("poses-\(UUID().uuidString).csv")
        let half = 0.5.squareRoot()
        let rows = [(0.0, 1.0, 0.0), (0.9, 1, 0), (1, half, half), (6, half, half), (6.1, 1, 0), (1000, 1, 0)]
        try Data(rows.map { "\($0.0),\($0.1),0,0,\($0.2)\n" }.joined().utf8).write(to: file)
        let rig = try await LiveRig { $0.poses = file.path }
        try await rig.patch()
        return (rig, file)
    }

    @Test func theEarsAreLoweredByASmoothRampAndComeBack() async throws {
        let (rig, file) = try await Self.rig()
        defer { try? FileManager.default.removeItem(at: file) }
        await rig.done(try .set("look-away", "-12"))
        await rig.done(try .set("look-away-delay", "5"))
        rig.play(seconds: 1.5)
        await rig.clock.advance(by: 4.9)
        #expect(await rig.live.status().monitor.isAway == false)
        let before = rig.play(seconds: 1)
        await rig.clock.advance(by: 0.5)
        let status = await rig.live.status().monitor
        #expect(status.isAway && status.words?.contains("LOOKS AWAY") == true)
        let lowered = rig.play(seconds: 1)
        // Both outputs have the same noise and the same filters, so their quotient is the gain. It falls within half a
        // second, nowhere faster than a smooth step of this duration.
        let gains = zip(before[0], lowered[0]).map { abs($0) > 0.01 ? $1 / $0 : nil }
        let end = Float(pow(10, -12 / 20.0))
        #expect(gains[2400..<2500].compactMap(\.self).allSatisfy { $0 > 0.98 })
        #expect(gains[11_900..<12_100].compactMap(\.self).allSatisfy { abs($0 - (1 + end) / 2) < 0.02 })
        #expect(gains[24_000...].compactMap(\.self).allSatisfy { abs($0 - end) < 1e-3 })
        let known = gains.enumerated().dropFirst(1000).compactMap { index, gain in gain.map { (index, $0) } }
        let steepest = 1.875 * (1 - end) / 24_000
        for (a, b) in zip(known, known.dropFirst()) {
            #expect(abs(b.1 - a.1) < 1.1 * steepest * Float(b.0 - a.0) + 1e-3)
        }
        // The recording and the meters of the stage stay as they were.
        #expect(abs((await rig.live.status().outputPeaks.max() ?? 0) - LiveRig.peak(before)) < 6)
        // Facing the front again, the level returns without a wait.
        rig.play(seconds: 3)
        await rig.clock.advance(by: 0.5)
        #expect(await rig.live.status().monitor.isAway == false)
        rig.play(seconds: 1)
        let after = rig.play(seconds: 1)
        #expect(LiveRig.level(after) - LiveRig.level(lowered) > 6)
        try await rig.live.end()
    }

    @Test func itIsOffUnlessAskedForAndEndsWhenTurnedOff() async throws {
        let (rig, file) = try await Self.rig()
        defer { try? FileManager.default.removeItem(at: file) }
        rig.play(seconds: 1.5)
        await rig.clock.advance(by: 60)
        #expect(await rig.live.status().monitor.isAway == false)
        #expect(rig.state["look-away"] == .word("off") && rig.state["look-away-angle"] == .number(60))
        await rig.done(try .set("look-away-delay", "0"))
        // 90° is not beyond 100°.
        await rig.done(try .set("look-away-angle", "100"))
        await rig.done(try .set("look-away", "-20"))
        await rig.clock.advance(by: 0.5)
        #expect(await rig.live.status().monitor.isAway == false)
        await rig.done(try .set("look-away-angle", "60"))
        await rig.clock.advance(by: 0.5)
        #expect(await rig.live.status().monitor.isAway)
        await rig.done(try .set("look-away", "off"))
        await rig.clock.advance(by: 0.5)
        #expect(await rig.live.status().monitor.isAway == false)
        try await rig.live.end()
    }

    /// With a tracker, the pose in use counts; without its samples the level returns.
    @Test func aTrackerThatFallsSilentLowersNothing() async throws {
        let rig = try await LiveRig { $0.tracking.head = "udp:\(Ports.free())" }
        rig.server.run(seconds: 0.1)
        let tracker = LiveCalibrationTests.Worn(port: try #require(await rig.live.feed.head?.localPort))
        await rig.done(try .set("look-away", "-20"))
        await rig.done(try .set("look-away-delay", "0"))
        let isAway = await eventually {
            tracker.say(SIMD3(0, 0, 0))
            await rig.clock.advance(by: 0.5)
            return await rig.live.status().mode == "head only"
        }
        #expect(isAway)
        // Whatever the mounting makes of the first pose, one of these two lies beyond 60° from the front.
        let isLowered = await eventually {
            tracker.say(SIMD3(0, 0, 1.4))
            await rig.clock.advance(by: 0.5)
            if await rig.live.status().monitor.isAway { return true }
            tracker.say(SIMD3(0, 0, -1.4))
            await rig.clock.advance(by: 0.5)
            return await rig.live.status().monitor.isAway
        }
        #expect(isLowered)
        let isBack = await eventually {
            await rig.clock.advance(by: 0.5)
            return await rig.live.status().monitor.isAway == false
        }
        #expect(isBack)
        try await rig.live.end()
    }
}

extension LiveRig {
    /// Returns the greatest magnitude of both ears, dB.
    static func peak(_ ears: [[Float]]) -> Double { 20 * log10(Double(ears.joined().map(abs).max() ?? 0)) }
}
