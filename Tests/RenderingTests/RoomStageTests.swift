import Foundation
import Geometry
import Rooms
import Signal
import Testing

@testable import Rendering

/// Returns a room for tests: taps by index for each source and ear, equal at every yaw unless `byYaw` scales them.
private func room(
    sources: Int, early: [Int: Float], tail: [Int: Float] = [:], tailTaps: Int = 0, yaws: Int = 1,
    includesDirect: Bool = true, directGain: Float = 1, assignment: [Int?]? = nil, isTailShared: Bool = false,
    byYaw: (Int, Int) -> Float = { _, _ in 1 }
) -> RoomResponses {
    let earlyRows = PlanarBlock(channels: sources * yaws * 2, frames: 3840)
    let tailRows = PlanarBlock(channels: (isTailShared ? 1 : sources) * 2, frames: tailTaps)
    for row in 0..<earlyRows.channelCount {
        for (tap, value) in early { earlyRows[row][tap] = value * byYaw(row / 2 % yaws, row % 2) }
    }
    for row in 0..<tailRows.channelCount { for (tap, value) in tail { tailRows[row][tap] = value } }
    return RoomResponses(
        sampleRate: .studio, yawCount: yaws, early: earlyRows, tail: tailRows, isTailShared: isTailShared,
        includesDirect: includesDirect, directGain: directGain, assignment: assignment ?? (0..<sources).map { $0 })
}

private let pair = [30.0, -30.0].map { SourcePlacement(direction: Direction(azimuthDegrees: $0, elevationDegrees: 0)) }

private func roomStage(
    _ sources: [SourcePlacement], _ room: RoomResponses?, slice: Int = 64, poses: PoseSource = .fixed(.identity)
) throws -> StageRenderer {
    try StageRenderer(
        StageConfiguration(
            sampleRate: .studio, slice: slice, sources: sources, trim: Decibels(0), outputGuard: .off),
        field: sphere, room: room, poses: poses)
}

@Suite struct RoomStageTests {
    @Test(arguments: [64, 128, 256]) func aRoomWithDirectSoundIsHeardInPlaceOfTheSet(_ slice: Int) throws {
        let inputs = [noise(9000, seed: 1), noise(9000, seed: 2)]
        let renderer = try roomStage(
            pair, room(sources: 2, early: [0: 1, 700: 0.5], tail: [160: 0.25], tailTaps: 3000), slice: slice)
        let ears = render(renderer, inputs, periods: [slice, 100, 8])
        var worst: Float = 0
        for i in 0..<9000 {
            var exact: Float = 0
            for x in inputs {
                exact += x[i] + (i >= 700 ? 0.5 * x[i - 700] : 0) + (i >= 4000 ? 0.25 * x[i - 4000] : 0)
            }
            worst = max(worst, abs(ears.left[i] - exact), abs(ears.right[i] - exact))
        }
        #expect(worst < 1e-5)
    }

    @Test func reflectionsAreAddedToTheSet() throws {
        let inputs = [noise(6000, seed: 3), noise(6000, seed: 4)]
        let dry = render(try roomStage(pair, nil), inputs, periods: [64])
        let wet = render(
            try roomStage(pair, room(sources: 2, early: [900: 0.5], includesDirect: false, directGain: 0.75)), inputs,
            periods: [64])
        for i in 0..<6000 {
            let reflection = i >= 900 ? 0.5 * (inputs[0][i - 900] + inputs[1][i - 900]) : 0
            #expect(abs(wet.left[i] - (0.75 * dry.left[i] + reflection)) < 1e-5)
        }
    }

    @Test func sourcesOutsideTheRoomStayDryAndSeveralMayShareOne() throws {
        let three = pair + [SourcePlacement(direction: pair[0].direction, gain: 0.5)]
        let inputs = (0..<3).map { noise(4000, seed: UInt64(10 + $0)) }
        let silent = [Float](repeating: 0, count: 4000)
        let dry = render(try roomStage(three, nil), [silent, inputs[1], silent], periods: [64])
        let wet = render(
            try roomStage(three, room(sources: 1, early: [300: 1], assignment: [0, nil, 0])), inputs, periods: [64])
        for i in 300..<4000 {
            let exact = dry.left[i] + inputs[0][i - 300] + 0.5 * inputs[2][i - 300]
            #expect(abs(wet.left[i] - exact) < 1e-5)
        }
    }

    @Test func theEarlyPartFollowsTheHeadAtEveryFrame() throws {
        // The taps of the left ear have the yaw's index as their gain: a turning head gives a straight ramp.
        let turningRoom = room(
            sources: 1, early: [0: 1, 1000: 1], yaws: 180, byYaw: { yaw, ear in ear == 0 ? Float(yaw) : 1 })
        let ones = [Float](repeating: 1, count: 24_000)
        let ears = render(
            try roomStage([pair[0]], turningRoom, poses: turning(degreesPerSecond: 300, from: 20, seconds: 0.6)),
            [ones], periods: [64])
        for i in 2000..<24_000 {
            let yaw = (20 + 300 * Double(i) / 48_000) / 2
            // Poses are sampled where fades end, by spherical interpolation between the log's rows.
            #expect(abs(Double(ears.left[i]) - 2 * yaw) < 0.01)
            #expect(abs(ears.right[i] - 2) < 1e-3)
        }
    }

    @Test(arguments: [64, 256]) func whatWasExpectedOfATurningHeadGivesEveryBitAgain(_ slice: Int) throws {
        let x = noise(24_576)
        let turningRoom = room(
            sources: 1, early: [0: 1, 1000: 1], yaws: 180, byYaw: { yaw, ear in ear == 0 ? Float(yaw) : 1 })
        // Forecasts that change at every period and are wrong.
        let live = try roomStage([pair[0]], turningRoom, slice: slice, poses: .mailbox)
        live.recordPoses(capacity: 1000)
        live.recordTurns(capacity: 1000)
        let heard = render(
            live, [x], periods: [256], time: { PeriodTime(live: true, heardAt: Double($0) / 48_000) },
            between: { frame in
                let t = Double(frame) / 48_000
                live.mailbox.store(
                    PoseForecast(
                        pose: Rotation(yaw: sin(9 * t)), rate: SIMD3(0, 0.1, frame % 512 == 0 ? 5 : -5), time: t,
                        horizon: 0.1))
                if frame == 10_240 { live.setRoom(on: false) }
                if frame == 16_384 { live.setRoom(on: true) }
            })
        let turns = live.drainTurns()
        #expect(turns.first?.isStart == true && turns.count > 50 && turns.dropFirst().allSatisfy { !$0.isStart })
        let entries = live.drainPoses().map {
            PoseLog.Entry(seconds: Double($0.streamFrame) / 48_000, headToStage: Rotation(unit: $0.headToStage))
        }
        func again(_ turns: [PoseLog.Turn]) throws -> Ears {
            let log = try PoseLog(entries, turns: turns)
            let stage = try roomStage([pair[0]], turningRoom, slice: slice, poses: .log(log))
            return render(
                stage, [x], periods: [256],
                between: { frame in
                    if frame == 10_240 { stage.setRoom(on: false) }
                    if frame == 16_384 { stage.setRoom(on: true) }
                })
        }
        let same = try again(
            turns.dropFirst().map { .init(seconds: Double($0.streamFrame) / 48_000, perFrame: $0.perFrame) }
        ).isIdentical(to: heard)
        #expect(same)
        // Without the turns the sound differs where filters are chosen ahead (slice 64): the log predicts the head
        // better than the forecasts did.
        let other = try again([]).isIdentical(to: heard)
        #expect(other == (slice == 256))
    }

    @Test func begunAnewItIsTheSameToTheBit() throws {
        // The restart follows an odd number of blocks at every level.
        let before = 32_512
        // A tail of noise, so that every level has something to convolve.
        let decay = noise(120_000, seed: 5)
        let tail = Dictionary(uniqueKeysWithValues: decay.indices.map { ($0, 0.01 * decay[$0]) })
        let long = room(sources: 2, early: [0: 1, 700: 0.5], tail: tail, tailTaps: 120_000)
        let inputs = [noise(163_840, seed: 1), noise(163_840, seed: 2)]
        let fresh = render(try roomStage(pair, long), inputs, periods: [256])
        let old = [[Float](repeating: 0, count: before) + inputs[0], [Float](repeating: 0, count: before) + inputs[1]]
        let again = render(
            try roomStage(pair, long), old, periods: [256], time: { PeriodTime(restart: $0 == before) })
        let same = Array(again.left[before...]) == fresh.left && Array(again.right[before...]) == fresh.right
        #expect(same)
    }

    @Test func aRoomIsSwitchedWithoutAClick() throws {
        let tone = (0..<60_000).map { Float(sin(2 * Double.pi * 100 * Double($0) / 48_000)) }
        let large = room(sources: 2, early: [0: 1, 480: 0.5], tail: [3000: 0.5], tailTaps: 4000)
        let renderer = try roomStage(pair, large)
        let ears = render(
            renderer, [tone, tone], periods: [64],
            between: { done in
                if done == 20_032 { renderer.setRoom(on: false) }
                if done == 40_000 { renderer.setRoom(on: true) }
            })
        let dry = render(try roomStage(pair, nil), [tone, tone], periods: [64])
        for i in 26_000..<39_990 { #expect(ears.left[i] == dry.left[i]) }
        // A 100 Hz tone of amplitude 4 bends by less than 4·(2π·100/48000)² per frame; a click bends more.
        var bend: Float = 0
        for i in 12_000..<60_000 { bend = max(bend, abs(ears.left[i] - 2 * ears.left[i - 1] + ears.left[i - 2])) }
        #expect(bend < 2e-3)
    }

    @Test func aRoomFadesIntoAnotherAndIsFreed() throws {
        let tone = (0..<48_000).map { Float(sin(2 * Double.pi * 100 * Double($0) / 48_000)) }
        let renderer = try roomStage(pair, room(sources: 2, early: [0: 1]))
        let next = room(sources: 2, early: [0: 0.5, 2000: 0.25], tail: [7: 0], tailTaps: 16)
        let ears = render(
            renderer, [tone, tone], periods: [64],
            between: { done in
                guard done == 20_032 else { return }
                do { try renderer.publish(room: next) } catch { Issue.record(error) }
                #expect(renderer.heldRoomCount == 2)
            })
        #expect(renderer.heldRoomCount == 1)
        for i in 30_000..<48_000 {
            #expect(abs(ears.left[i] - (tone[i] + 0.5 * tone[i - 2000])) < 1e-4)
        }
        var bend: Float = 0
        for i in 2000..<48_000 { bend = max(bend, abs(ears.left[i] - 2 * ears.left[i - 1] + ears.left[i - 2])) }
        #expect(bend < 1e-3)
    }

    @Test func aRestartedRoomIsSilentAgain() throws {
        let inputs = [noise(12_800, seed: 5), noise(12_800, seed: 6)]
        let renderer = try roomStage(pair, room(sources: 2, early: [3000: 1], tail: [100: 1], tailTaps: 5000))
        let twice = render(
            renderer, inputs.map { Array($0[..<6400] + $0[..<6400]) }, periods: [64],
            time: { PeriodTime(restart: $0 == 6400) })
        // The output stage fades the old sound within 64 frames.
        for i in 64..<6400 { #expect(twice.left[i] == twice.left[6400 + i]) }
    }

    @Test func aRoomForAnotherStageIsRefused() throws {
        #expect(throws: RenderingError.roomForOtherStage(sources: 1, inputs: 2)) {
            try roomStage(pair, room(sources: 1, early: [0: 1]))
        }
    }
}
