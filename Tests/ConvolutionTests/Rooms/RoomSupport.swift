import Foundation
import Signal

@testable import Convolution

/// Returns a reproducible signal in −1…1 (linear congruence, Knuth's MMIX constants).
func roomNoise(_ count: Int, seed: Int) -> [Float] {
    var state = UInt64(seed) &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}

/// Test responses, `[source][yaw][ear]` and `[source or one][ear]`: noise, so that no tap is small.
struct TestRoom {
    var early: [[[[Float]]]]
    var tail: [[[Float]]]
    var isTailShared = false

    init(sources: Int, yaws: Int = 1, earlyTaps: Int, tailTaps: Int, isTailShared: Bool = false) {
        early = (0..<sources).map { source in
            (0..<yaws).map { yaw in
                (0..<2).map { roomNoise(earlyTaps, seed: 1000 * source + 10 * yaw + $0 + 1) }
            }
        }
        tail = (0..<(isTailShared ? 1 : sources)).map { source in
            (0..<2).map { roomNoise(tailTaps, seed: 500_000 + 10 * source + $0) }
        }
        self.isTailShared = isTailShared
    }

    /// Calls `body` with the rows as one block of memory and the closures that read it; both live as long as `body`
    /// runs.
    func withTaps<R>(_ body: (RoomTaps) -> R) -> R {
        let (sources, yaws, earlyTaps, tailTaps) = (
            early.count, early[0].count, early[0][0][0].count, tail[0][0].count
        )
        let first = PlanarBlock(channels: 2 * sources * yaws, frames: earlyTaps)
        let second = PlanarBlock(channels: 2 * tail.count, frames: tailTaps)
        for source in 0..<sources {
            for yaw in 0..<yaws {
                for ear in 0..<2 {
                    for i in 0..<earlyTaps { first[(source * yaws + yaw) * 2 + ear][i] = early[source][yaw][ear][i] }
                }
            }
        }
        for row in 0..<tail.count {
            for ear in 0..<2 { for i in 0..<tailTaps { second[2 * row + ear][i] = tail[row][ear][i] } }
        }
        let (firstRows, secondRows) = (first.pointers, second.pointers)
        let shared = isTailShared
        let result = body(
            RoomTaps(
                sources: sources, yaws: yaws, earlyTaps: earlyTaps, tailTaps: tailTaps, isTailShared: shared,
                early: { UnsafePointer(firstRows[($0 * yaws + $1) * 2 + $2]) },
                tail: { UnsafePointer(secondRows[(shared ? 0 : $0) * 2 + $1]) }))
        withExtendedLifetime(first) {}
        withExtendedLifetime(second) {}
        return result
    }

    /// Returns one sample of an ear by the definition of convolution, in double precision. Filters are interpolated
    /// linearly between the yaws of the table at `position`.
    func defined(_ inputs: [[Float]], ear: Int, at frame: Int, position: Double = 0) -> Double {
        var sum = 0.0
        let yaws = early[0].count
        let low = Int(position.rounded(.down))
        let weight = position - Double(low)
        for (source, x) in inputs.enumerated() {
            for (yaw, gain) in [(low, 1 - weight), (low + 1, weight)] where gain != 0 {
                let h = early[source][((yaw % yaws) + yaws) % yaws][ear]
                for k in 0..<min(h.count, frame + 1) { sum += gain * Double(h[k]) * Double(x[frame - k]) }
            }
            let h = tail[isTailShared ? 0 : source][ear]
            let offset = early[source][0][ear].count
            var k = 0
            while k < h.count && k + offset <= frame {
                sum += Double(h[k]) * Double(x[frame - offset - k])
                k += 1
            }
        }
        return sum
    }

    /// Renders inputs in pieces of the given lengths, repeated; `yaw` returns radians for a frame.
    func rendered(
        _ inputs: [[Float]], slice: Int, fade: Int? = nil, pieces: [Int], yaw: (Int) -> Double = { _ in 0 }
    ) -> [[Float]] {
        withTaps { taps in
            var convolver = RoomConvolver(slice: slice, fade: fade ?? slice, taps: taps)
            return render(&convolver, inputs, pieces: pieces, yaw: yaw)
        }
    }

    func render(
        _ convolver: inout RoomConvolver, _ inputs: [[Float]], pieces: [Int], yaw: (Int) -> Double = { _ in 0 }
    ) -> [[Float]] {
        let (slice, fade, total) = (convolver.slice, convolver.fade, inputs[0].count)
        var (left, right) = ([Float](repeating: 0, count: total), [Float](repeating: 0, count: total))
        convolver.reset(yaw: yaw(0))
        var (done, position, piece) = (0, 0, 0)
        while done < total {
            if position == 0 {
                let yaws = stride(from: fade, through: slice, by: fade).map { yaw(done + $0) }
                convolver.beginSlice(yaws)
            }
            let left0 = piece == 0 && position == 0 ? pieces[0] : pieces[piece % pieces.count]
            let count = min(left0, slice - position, total - done)
            for (source, x) in inputs.enumerated() {
                for i in 0..<count { convolver.current(source)[position + i] = x[done + i] }
            }
            left.withUnsafeMutableBufferPointer { l in
                right.withUnsafeMutableBufferPointer { r in
                    convolver.render(
                        from: position, to: position + count, left: l.baseAddress! + done,
                        right: r.baseAddress! + done)
                }
            }
            position += count
            done += count
            piece += 1
            if position == slice {
                let now = yaw(done)
                convolver.endSlice(
                    expecting: YawForecast(yaw: now, perFrame: (yaw(done + 2 * 256) - now) / Double(2 * 256)))
                position = 0
            }
        }
        return [left, right]
    }
}

/// Returns 10·log10 of the power of `got` − `exact` over that of `exact`, for the frames of `exact`.
func roomError(_ got: [Float], _ exact: [(frame: Int, value: Double)]) -> Double {
    var (difference, power) = (0.0, 0.0)
    for (frame, value) in exact {
        difference += (Double(got[frame]) - value) * (Double(got[frame]) - value)
        power += value * value
    }
    return difference == 0 ? -400 : 10 * log10(difference / power)
}
