import Foundation
import Geometry
import HRTF
import Rooms
import Signal
import Testing

@Suite("Rooms that follow the head")
struct TurningTests {
    /// Returns the early part's response to a tone at every yaw.
    private func toneResponses(_ room: RoomResponses, _ hertz: Double, ear: Int) -> [SIMD2<Double>] {
        (0..<room.yawCount).map { yaw in
            let row = room.early(source: 0, yaw: yaw, ear: ear)
            var sum = SIMD2<Double>.zero
            for i in 0..<room.earlyTaps {
                let angle = -2 * Double.pi * hertz * Double(i) / 48_000
                sum += Double(row[i]) * SIMD2(cos(angle), sin(angle))
            }
            return sum
        }
    }

    /// Returns the power outside ±150 Hz of a tone, over all power, dB. The head turns by 100°/s and neighbouring yaws
    /// are blended linearly; eight seconds under a Blackman-Harris window, as for the moving stage.
    private func artefacts(_ responses: [SIMD2<Double>]) -> Double {
        let (rate, count) = (4096.0, 32_768)
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        for i in 0..<count {
            let place = 100 * Double(i) / rate / 360 * Double(responses.count)
            let lower = Int(place)
            let t = place - Double(lower)
            let value =
                responses[lower % responses.count] * (1 - t) + responses[(lower + 1) % responses.count] * t
            let phase = 2 * Double.pi * Double(i) / Double(count - 1)
            let window = 0.35875 - 0.48829 * cos(phase) + 0.14128 * cos(2 * phase) - 0.01168 * cos(3 * phase)
            (real[i], imaginary[i]) = (value.x * window, value.y * window)
        }
        FourierTransform(minimumCount: count).forward(&real, &imaginary)
        var (all, outside) = (0.0, 0.0)
        for k in 0..<count {
            let frequency = Double(k <= count / 2 ? k : k - count) * rate / Double(count)
            let power = real[k] * real[k] + imaginary[k] * imaginary[k]
            all += power
            if abs(frequency) > 150 { outside += power }
        }
        return 10 * log10(outside / all)
    }

    @Test("a tone of 1 kHz stays a tone past a head that turns by 100°/s: −80 dB, reflections alone")
    func generated() throws {
        for ear in 0..<2 {
            let level = artefacts(toneResponses(Fixture.studio, 1000, ear: ear))
            #expect(level <= -80)
        }
    }

    @Test("the same in a room measured every 10°, with its direct sound")
    func measured() throws {
        let truth = TrueRoom.stereo
        let views = truth.views(every: 5)
        let (room, _) = try RoomResponses.prepare(views, for: [truth.directions[0]], heardThrough: Fixture.field)
        for ear in 0..<2 {
            let level = artefacts(toneResponses(room, 1000, ear: ear))
            #expect(level <= -80)
        }
    }
}
