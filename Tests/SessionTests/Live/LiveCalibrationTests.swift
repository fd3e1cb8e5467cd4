import AudioIO
import AudioInMemory
import CDevices
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

/// Calibration of a tracker's mounting while a session runs.
@Suite(.timeLimit(.minutes(10))) struct LiveCalibrationTests {
    private static let mounting = Quaternion(yaw: 0.3, pitch: 0.5, roll: -0.7)

    /// A tracker that is worn with `mounting` and sends to a UDP port.
    final class Worn {
        private let socket = pcd_udp_open("127.0.0.1", 0)
        private let port: Int
        private var number = 0

        init(port: Int) { self.port = port }

        deinit { pcd_close(socket) }

        /// Sends the tracker's orientation with the head turned by a rotation vector.
        func say(_ turn: SIMD3<Double>) {
            number += 1
            let q = Quaternion(rotationVector: turn) * LiveCalibrationTests.mounting
            let line = Array("quat,\(number),\(number * 10_000_000),\(q.w),\(q.x),\(q.y),\(q.z)".utf8)
            _ = pcd_udp_send(socket, line, UInt32(line.count), "127.0.0.1", UInt16(port))
        }
    }

    /// Telemetry has the tracker's pose, not the last one rendered, which may be a period old.
    @Test func aPoseIsToldBeforeItIsRendered() async throws {
        let rig = try await LiveRig { $0.tracking.head = "udp:\(Ports.free())" }
        rig.server.run(seconds: 0.1)
        let tracker = Worn(port: try #require(await rig.live.feed.head?.localPort))
        let last = Mutex(0.0)
        let end = rig.live.environment.desk.telemetry.hear(.pose) { _, sample in last.withLock { $0 = sample.yaw } }
        let isAtRest = await eventually {
            tracker.say(SIMD3(0, 0, 0))
            return await rig.live.status().mode == "head only"
        }
        #expect(isAtRest)
        let before = last.withLock { $0 }
        let isTold = await eventually {
            tracker.say(SIMD3(0, 0, 0.5))
            return abs(last.withLock { $0 } - before) > 10
        }
        #expect(isTold)
        end()
        try await rig.live.end()
    }

    @Test func withoutATrackerItIsRefused() async throws {
        let rig = try await LiveRig()
        #expect(await rig.refusal(of: .calibration(.start(.head, seconds: 4)))?.contains("--head") == true)
        #expect(await rig.refusal(of: .calibration(.start(.device, seconds: 4)))?.contains("--device") == true)
        for command in [SessionCommand.Calibration.step, .accept, .cancel] {
            #expect(await rig.refusal(of: .calibration(command))?.contains("calibrate/start") == true)
        }
        #expect(rig.state["calibration/of"] == nil)
        try await rig.live.end()
    }

    @Test func whatIsFoundIsInForce() async throws {
        let memory = TrackerMemory(path: FileManager.default.temporaryDirectory.path + "/\(UUID())/trackers.json")
        defer { try? FileManager.default.removeItem(atPath: (memory.path as NSString).deletingLastPathComponent) }
        let rig = try await LiveRig {
            $0.tracking.head = "udp:\(Ports.free()),id=worn"
            $0.tracking.memory = memory
        }
        #expect(await rig.refusal(of: .calibration(.start(.head, seconds: 1)))?.contains("no data has arrived") == true)
        let inlet = try #require(await rig.live.feed.head)
        let tracker = Worn(port: try #require(inlet.localPort))
        let isHeard = await eventually {
            tracker.say(SIMD3(0, 0, 0))
            return inlet.health.received > 0
        }
        try #require(isHeard)
        await rig.done(.calibration(.start(.head, seconds: 1)))
        #expect(await rig.refusal(of: .calibration(.accept))?.contains("not all movements") == true)
        let turns = [SIMD3<Double>(0, 0, 0), SIMD3(0, 0, 0.8), SIMD3(0, -0.6, 0), SIMD3(0.5, 0, 0)]
        for (step, turn) in zip(MountingCalibration.Step.allCases, turns) {
            try #require(rig.state["calibration/step"] == .word("\(step)"))
            await rig.done(.calibration(.step))
            #expect(await rig.refusal(of: .calibration(.step))?.contains("under way") == true)
            // One second of movement: the clock advances with each sample.
            for index in 0..<25 {
                let received = inlet.health.received
                tracker.say(turn * (1 - cos(Double(index) * .pi / 12)) / 2)
                try #require(await eventually { inlet.health.received > received })
                await rig.live.enterState()
                #expect(rig.state["calibration/phase"] == .word("moves"))
                await rig.clock.advance(by: 0.041)
            }
            await rig.live.enterState()
        }
        #expect(rig.state["calibration/phase"] == .word("found"))
        #expect(rig.state["calibration/misfit"]?.numbers.first.map { $0 < 2 } == true)
        #expect(await rig.refusal(of: .calibration(.step))?.contains("calibrate/accept") == true)
        await rig.done(.calibration(.accept))
        #expect(rig.state["calibration/of"] == nil && !StateAddress("calibration/of").isKept)
        #expect(inlet.mounting.quaternion.angle(to: Self.mounting) < 0.03)
        let kept = try #require(memory.entry(for: "worn")?.rotation)
        #expect(kept.quaternion.angle(to: Self.mounting) < 0.03)
        // The calibration is no step of the history.
        #expect(await rig.refusal(of: .history(.undo)) == "there is nothing to undo")
        await rig.done(.calibration(.start(.head, seconds: 1)))
        await rig.done(.calibration(.cancel))
        try await rig.live.end()
    }
}
