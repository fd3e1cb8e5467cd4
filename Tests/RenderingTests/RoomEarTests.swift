import Foundation
import Geometry
import HRTF
import Rooms
import Signal
import Testing

@testable import Rendering

/// Rooms at the engine's output: an impulse through the stage, the head held at a yaw.
@Suite("Rooms to the ear") struct RoomEarTests {
    static let directions: [Direction<Stage>] = [30.0, -30].map { Direction(azimuthDegrees: $0, elevationDegrees: 0) }

    /// Returns the stage's response to an impulse in its first channel.
    private func impulse(_ room: RoomResponses?, degrees: Double, frames: Int) throws -> [[Float]] {
        let renderer = try StageRenderer(
            StageConfiguration(
                sampleRate: .studio, slice: 64, sources: Self.directions.map { SourcePlacement(direction: $0) },
                trim: Decibels(0), outputGuard: .off),
            field: sphere, room: room, poses: .fixed(Rotation(yaw: degrees * .pi / 180)))
        var click = [Float](repeating: 0, count: frames)
        click[0] = 1
        let ears = render(renderer, [click, [Float](repeating: 0, count: frames)], periods: [256])
        return [ears.left, ears.right]
    }

    /// Returns the full response at a yaw: that of the set at the direct gain, plus the room's.
    private func full(_ room: RoomResponses, degrees: Double) -> [[Float]] {
        let head = Rotation<Head, Stage>(yaw: degrees * .pi / 180).inverse
        let direct = sphere.responses(head(Self.directions[0]))
        return [direct.left, direct.right].enumerated().map { ear, dry in
            var row = room.response(source: 0, yaw: Int((degrees / 2).rounded()), ear: ear)
            for i in dry.indices { row[i] += room.directGain * dry[i] }
            return row
        }
    }

    @Test("a generated room is played to the last sample: direct sound, reflections and tail, at any yaw")
    func generated() throws {
        let (room, _) = try RoomResponses.generate(.studio, for: Self.directions, heardThrough: sphere)
        for degrees in [0.0, 46, 180, 300] {
            let truth = full(room, degrees: degrees)
            let heard = try impulse(room, degrees: degrees, frames: room.tapCount)
            for ear in 0..<2 {
                let error = zip(truth[ear], heard[ear]).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
                let power = truth[ear].reduce(0.0) { $0 + Double($1 * $1) }
                #expect(10 * log10(error / power) < -60, "\(degrees)°, ear \(ear)")
            }
        }
    }

    @Test(
        "a room measured every 10° is heard as its full response: RT60 5 %, decay 1.2 dB, coherence 0.1, between yaws too"
    )
    func measured() throws {
        let (truth, _) = try RoomResponses.generate(
            .studio, for: Self.directions, heardThrough: sphere, options: RoomOptions(early: 0.16))
        let views = RoomViews(
            path: "true room", title: "true room", licence: "", sampleRate: 48_000, sampleCount: truth.tapCount,
            sources: [
                RoomViews.Source(
                    direction: Self.directions[0],
                    views: stride(from: 0, to: 180, by: 5).map { (Double($0) * .pi / 90, $0) })
            ], remarks: []
        ) { yaw, frames throws(RoomError) in
            let ears = full(truth, degrees: Double(2 * yaw)).map { Array($0.prefix(frames)) }
            return (ears[0], ears[1])
        }
        let (room, report) = try RoomResponses.prepare(views, for: [Self.directions[0], nil], heardThrough: sphere)
        let cut = Int((report.cut * 48_000).rounded())
        for degrees in [0.0, 40, 90, 180, 46, 184] {
            let heard = try impulse(room, degrees: degrees, frames: room.tapCount)
            let d = RoomDifference(
                full(truth, degrees: degrees).map { Array($0.dropFirst(cut)) }, heard, sampleRate: 48_000)
            #expect(d.reverberationTime < 0.05 && d.decay < 1.2 && d.coherence < 0.1, "\(degrees)°: \(d)")
        }
    }
}
