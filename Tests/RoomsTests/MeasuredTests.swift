import Foundation
import Geometry
import HRTF
import Rooms
import Signal
import Testing

@Suite("Measured rooms")
struct MeasuredTests {
    static let names = ["SingleRoomSRIR", "SingleRoomMIMOSRIR", "MultiSpeakerBRIR"]

    @Test("every convention gives the same room, at the right loudspeakers and yaws", arguments: names)
    func conventions(_ convention: String) throws {
        let truth = TrueRoom.stereo
        let path = try RoomDraft.write(convention, truth)
        defer { RoomDraft.remove(path) }
        let right: [Direction<Stage>?] = [truth.directions[1], nil, truth.directions[0]]
        let (room, report) = try RoomResponses.prepare(
            RoomViews(sofaAt: path), for: right, heardThrough: Fixture.field)
        #expect(room.assignment == [0, nil, 1] && room.sourceCount == 2 && room.yawCount == 180)
        #expect(room.includesDirect && report.licence == "CC0" && report.remarks.isEmpty, "\(report.remarks)")
        // At measured yaws the early part equals the file's except for level and onset, which the correlation ignores.
        for (source, own) in [1, 0].enumerated() {
            for yaw in [0, 45, 130] {
                let is30 = truth.response(source: own, yaw: yaw)
                for ear in 0..<2 {
                    let row = Array(
                        UnsafeBufferPointer(start: room.early(source: source, yaw: yaw, ear: ear), count: 2400))
                    #expect(alike(row, is30[ear]) > 0.9999, "\(convention), yaw \(yaw * 2)°, ear \(ear)")
                }
            }
        }
    }

    @Test(
        "what is heard at every yaw is the full response: reverberation time, decay and coherence, measured yaws and not",
        .enabled(if: Fixture.kemar != nil, Fixture.absence))
    func toTheEar() throws {
        let kemar = try #require(Fixture.kemar)
        let truth = TrueRoom([30, -30], heardThrough: kemar)
        let (room, report) = try RoomResponses.prepare(
            truth.views(every: 5), for: [truth.directions[0]], heardThrough: kemar)
        for yaw in [0, 5, 20, 45, 90, 2, 23, 92] {
            let heard = (0..<2).map { room.response(source: 0, yaw: yaw, ear: $0) }
            // `prepare` moved the onset to that of the dry stage; the true response is moved by as many samples.
            let cut = Int((report.cut * 48_000).rounded())
            let moved = truth.response(source: 0, yaw: yaw).map { row in
                [Float](repeating: 0, count: max(0, -cut)) + row.dropFirst(max(0, cut))
            }
            let d = RoomDifference(moved, heard, sampleRate: 48_000)
            #expect(d.reverberationTime < 0.05 && d.decay < 1.2 && d.coherence < 0.1, "yaw \(yaw * 2)°: \(d)")
        }
    }
}

/// Returns the largest normalised correlation over shifts within 400 samples.
func alike(_ a: [Float], _ b: [Float]) -> Double {
    var best = 0.0
    let energy = a.reduce(0.0) { $0 + Double($1 * $1) }
    for shift in -400...400 {
        var (product, other) = (0.0, 0.0)
        for i in a.indices where b.indices.contains(i + shift) {
            product += Double(a[i] * b[i + shift])
            other += Double(b[i + shift] * b[i + shift])
        }
        best = max(best, product / max(1e-30, (energy * other).squareRoot()))
    }
    return best
}
