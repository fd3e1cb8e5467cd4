import CRealtime
import Geometry
import HRTF
import Rooms
import Signal
import Testing

@testable import Rendering

/// Rooms under RealtimeSanitizer: at rest and turning, switched, exchanged, restarted, in periods of any length.
@Suite struct RoomRealtimeTests {
    @Test(arguments: [64, 128, 256], [1, 24]) func roomsNeitherLockNorAllocate(_ slice: Int, _ yaws: Int) throws {
        _ = prc_realtime_probe_is_linked()
        let placements = [30.0, -30, 110].map {
            SourcePlacement(direction: Direction(azimuthDegrees: $0, elevationDegrees: 0))
        }
        let longest = 8192
        let input = PlanarBlock(channels: placements.count, frames: longest)
        let output = PlanarBlock(channels: 2, frames: longest)
        for channel in 0..<placements.count {
            for frame in 0..<longest { input[channel][frame] = Float((frame * 7919 + channel) % 101) / 101 - 0.5 }
        }
        var inputs = (0..<placements.count).map { UnsafePointer(input[$0]) }
        var outputs = [output[0], output[1]]
        let log = try PoseLog(
            [PoseLog.Entry(seconds: 0, headToStage: Rotation(yaw: 1))],
            turns: (0..<9).map { PoseLog.Turn(seconds: Double($0) / 10, perFrame: 1e-5 * Double($0)) })
        // With a slice of 128 the expected turns come from a log; otherwise they are recorded.
        let renderer = try StageRenderer(
            StageConfiguration(sampleRate: .studio, slice: slice, sources: placements),
            field: .sphere(sampleRate: .studio), room: Self.room(yaws: yaws, isTailShared: false),
            poses: slice == 128 ? .log(log) : .mailbox)
        renderer.recordTurns(capacity: 64)
        for (index, frames) in [64, 8192, 100, 1, 8192, 0, 8192, 777, 8192, 8192].enumerated() {
            if index == 3 { try renderer.publish(room: Self.room(yaws: 25 - yaws, isTailShared: true)) }
            if index == 5 { renderer.setRoom(on: false) }
            if index == 8 { renderer.setRoom(on: true) }
            renderer.mailbox.store(
                PoseForecast(pose: Rotation(yaw: Double(index)), rate: SIMD3(1, 2, 3), time: 0, horizon: 100))
            let time = PeriodTime(restart: index == 7, live: index % 3 != 2, heardAt: Double(index) * 0.1)
            inputs.withUnsafeMutableBufferPointer { inputs in
                outputs.withUnsafeMutableBufferPointer { outputs in
                    guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else { return }
                    prc_realtime_probe_enter()
                    renderer.handle.pointee.process(inputs: inputs, outputs: outputs, frames: frames, time: time)
                    prc_realtime_probe_exit()
                }
            }
        }
        #expect(renderer.heldRoomCount == 1)
    }

    /// Returns noise of 3840 early and 30 000 late taps, so that the convolver uses partitions of every size.
    static func room(yaws: Int, isTailShared: Bool) -> RoomResponses {
        let early = PlanarBlock(channels: 3 * yaws * 2, frames: 3840)
        let tail = PlanarBlock(channels: (isTailShared ? 1 : 3) * 2, frames: 30_000)
        var state: UInt32 = 1
        func fill(_ block: borrowing PlanarBlock) {
            for row in 0..<block.channelCount {
                for tap in 0..<block.frameCapacity {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    block[row][tap] = Float(Int32(bitPattern: state)) / 2_147_483_648 * 0.01
                }
            }
        }
        fill(early)
        fill(tail)
        return RoomResponses(
            sampleRate: .studio, yawCount: yaws, early: early, tail: tail, isTailShared: isTailShared,
            includesDirect: false, directGain: 0.8, assignment: [0, 1, 2])
    }
}
