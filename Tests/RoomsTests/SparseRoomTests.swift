import Geometry
import Glibc
import HRTF
import Rooms
import Signal
import Testing

@Suite("Rooms measured with few looks")
struct SparseRoomTests {
    /// Errors at yaws that were not measured: the prepared room against the true response.
    private struct Error {
        /// Of the direct sound, means: interaural delay below 1.5 kHz, microseconds, and interaural level, dB.
        var delay = 0.0, level = 0.0
        /// Of the energy after the direct sound up to 80 ms, dB: mean of the worse ear.
        var early = 0.0
    }

    private func error(everyDegrees step: Int, from first: Int = 0, to last: Int = 360) throws -> Error {
        let truth = TrueRoom.stereo
        var views = truth.views(every: step / 2)
        views.sources[0].views = views.sources[0].views.filter { (first / 2..<last / 2).contains($0.key) }
        let (room, report) = try RoomResponses.prepare(
            views, for: [truth.directions[0]], heardThrough: Fixture.field)
        let cut = Int((report.cut * 48_000).rounded())
        let direct = (Int(Fixture.field.onsetFrames) - 48)..<(Int(Fixture.field.onsetFrames) + 72)
        func moved(_ row: [Float]) -> [Float] { row.indices.map { row.indices.contains($0 + cut) ? row[$0 + cut] : 0 } }
        var sums = Error()
        let yaws = stride(from: first / 2 + 3, to: last / 2, by: 6).filter { $0 * 2 % step != 0 }
        for yaw in yaws {
            let wanted = truth.response(source: 0, yaw: yaw).map(moved)
            let heard = (0..<2).map { room.response(source: 0, yaw: yaw, ear: $0) }
            sums.delay += abs(delay(wanted.map { Array($0[direct]) }) - delay(heard.map { Array($0[direct]) }))
            let levels = [wanted, heard].map { ears in ears.map { energy($0[direct]) } }
            sums.level += abs(levels[0][0] - levels[0][1] - levels[1][0] + levels[1][1])
            // One gain for all yaws, that of the view to the front.
            let gain =
                energy(truth.response(source: 0, yaw: 0).map(moved)[0][..<3840])
                - energy(room.response(source: 0, yaw: 0, ear: 0)[..<3840])
            sums.early +=
                (0..<2).map {
                    abs(
                        energy(wanted[$0][direct.upperBound..<3840]) - energy(heard[$0][direct.upperBound..<3840])
                            - gain)
                }.max() ?? 0
        }
        let count = Double(yaws.count)
        return Error(delay: sums.delay / count, level: sums.level / count, early: sums.early / count)
    }

    private func energy(_ row: ArraySlice<Float>) -> Double {
        10 * log10(row.reduce(1e-30) { $0 + Double($1 * $1) })
    }

    /// Returns the delay of the right ear, microseconds: the lag of the largest correlation below 1.5 kHz.
    private func delay(_ ears: [[Float]]) -> Double {
        let transform = FourierTransform(minimumCount: 1024)
        var real = ears[0].map(Double.init) + [Double](repeating: 0, count: transform.count - ears[0].count)
        var imaginary = ears[1].map(Double.init) + [Double](repeating: 0, count: transform.count - ears[1].count)
        transform.forward(&real, &imaginary)
        let n = transform.count
        func correlation(_ microseconds: Double) -> Double {
            (2...32).reduce(0) { sum, k in
                let (l, r) = (
                    SIMD2((real[k] + real[n - k]) / 2, (imaginary[k] - imaginary[n - k]) / 2),
                    SIMD2((imaginary[k] + imaginary[n - k]) / 2, (real[n - k] - real[k]) / 2)
                )
                let angle = 2 * .pi * Double(k) * 48_000 / Double(n) * microseconds * 1e-6
                return sum + (l.x * r.x + l.y * r.y) * cos(angle) - (l.x * r.y - l.y * r.x) * sin(angle)
            }
        }
        return stride(from: -900.0, through: 900, by: 4).max { correlation($0) < correlation($1) } ?? 0
    }

    @Test(
        "turn with the head: delays at yaws between looks within 15 µs at 30°, 40 µs at 60° and 90°",
        arguments: zip([30, 60, 90], [15.0, 40, 40]))
    func turns(_ step: Int, _ most: Double) throws {
        let error = try error(everyDegrees: step)
        #expect(error.delay < most, "\(error)")
        #expect(error.level < (step < 60 ? 1 : 2), "\(error)")
        #expect(error.early < 1.5, "\(error)")
    }

    @Test("the same where looks are ahead only, −90° to 90°")
    func ahead() throws {
        let truth = TrueRoom.stereo
        var views = truth.views(every: 15)
        views.sources[0].views = [0, 15, 30, 45, 135, 150, 165].map { (Double($0) * .pi / 90, $0) }
        let (room, _) = try RoomResponses.prepare(views, for: [truth.directions[0]], heardThrough: Fixture.field)
        // With the head 44° to the left, between two views, the loudspeaker at 30° is 14° to the right. Behind, where
        // no view was measured, the outermost views are held.
        let heard = (0..<2).map { Array(room.response(source: 0, yaw: 22, ear: $0)[..<256]) }
        let wanted = truth.response(source: 0, yaw: 22).map { Array($0[..<256]) }
        #expect(abs(delay(heard) - delay(wanted)) < 30)
        let held = (0..<2).map { ear in (46...70).map { room.response(source: 0, yaw: $0, ear: ear)[..<3000] } }
        for ear in held { for row in ear { #expect(row == ear[0]) } }
    }
}
