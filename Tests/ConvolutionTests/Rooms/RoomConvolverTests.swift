import Foundation
import Signal
import Testing

@testable import Convolution

@Suite struct RoomConvolverTests {
    @Test(arguments: [64, 128, 256], [(1, 100, 0), (2, 1000, 3000), (5, 300, 5000), (1, 4000, 66_000)])
    func everyTapIsPlayedAsDefined(_ slice: Int, _ shape: (sources: Int, early: Int, tail: Int)) {
        let room = TestRoom(sources: shape.sources, earlyTaps: shape.early, tailTaps: shape.tail)
        let total = shape.early + shape.tail + 3000
        let inputs = (0..<shape.sources).map { roomNoise(total, seed: 77 + $0) }
        let whole = room.rendered(inputs, slice: slice, pieces: [slice])
        let cut = room.rendered(inputs, slice: slice, pieces: [1, 17, 64, 33])
        for ear in 0..<2 {
            let exact = stride(from: ear, to: total, by: max(1, total / 400)).map {
                ($0, room.defined(inputs, ear: ear, at: $0))
            }
            #expect(roomError(whole[ear], exact) < -120)
            #expect(roomError(cut[ear], exact) < -120)
        }
    }

    @Test(arguments: [64, 128, 256]) func aSharedTailHearsTheSumOfTheSources(_ slice: Int) {
        for early in [16, 1000, 3840] {
            let room = TestRoom(sources: 3, earlyTaps: early, tailTaps: 9000, isTailShared: true)
            let inputs = (0..<3).map { roomNoise(14_000, seed: 5 + $0) }
            let got = room.rendered(inputs, slice: slice, pieces: [slice])
            for ear in 0..<2 {
                let exact = stride(from: ear, to: 14_000, by: 41).map { ($0, room.defined(inputs, ear: ear, at: $0)) }
                #expect(roomError(got[ear], exact) < -120)
            }
        }
    }

    @Test(arguments: [64, 128, 256], [100.0, -300.0])
    func aTurningHeadHearsWhatIsInterpolatedAtEveryFrame(_ slice: Int, _ degreesPerSecond: Double) {
        let room = TestRoom(sources: 2, yaws: 60, earlyTaps: 3840, tailTaps: 2000)
        let total = 16_384
        let inputs = (0..<2).map { roomNoise(total, seed: 9 + $0) }
        // The yaw changes at a steady rate, so the fades are straight; it crosses the seam at ±180°.
        let yaw = { (frame: Int) in (170 + degreesPerSecond * Double(frame) / 48_000) * .pi / 180 }
        for fade in slice == 64 ? [64] : [slice / 2, slice] {
            let got = room.rendered(inputs, slice: slice, fade: fade, pieces: [slice], yaw: yaw)
            for ear in 0..<2 {
                let exact = stride(from: ear, to: total, by: 37).map {
                    ($0, room.defined(inputs, ear: ear, at: $0, position: yaw($0) / (2 * .pi) * 60))
                }
                #expect(roomError(got[ear], exact) < -110)
            }
        }
    }

    @Test func theSoundDependsOnTheSliceAndNotOnThePeriod() {
        let room = TestRoom(sources: 2, yaws: 12, earlyTaps: 2000, tailTaps: 5000)
        let inputs = (0..<2).map { roomNoise(9000, seed: 30 + $0) }
        let yaw = { (frame: Int) in Double(frame) * 2e-4 }
        let whole = room.rendered(inputs, slice: 64, pieces: [64], yaw: yaw)
        let cut = room.rendered(inputs, slice: 64, pieces: [5, 16, 43, 64, 1], yaw: yaw)
        for ear in 0..<2 {
            #expect(roomError(cut[ear], whole[ear].enumerated().map { ($0, Double($1)) }) < -120)
        }
    }
}
