import Foundation
import Geometry
import Testing

@testable import SOFA

@Suite("Written rooms")
struct WrittenRoomTests {
    /// A room whose samples show their yaw, loudspeaker, ear and index.
    private static let room = WrittenRoom(
        attributes: ["Title": "check"], sampleRate: 48_000, sampleCount: 64, yaws: [-30, 0, 30],
        loudspeakers: [
            .init(azimuth: 30, elevation: 0, distance: 2), .init(azimuth: -30, elevation: 0, distance: 2),
            .init(azimuth: 45, elevation: 30, distance: 1.5),
        ],
        responses: (0..<3).map { yaw in
            (0..<3).map { place in
                (0..<2).map { ear -> [Float] in
                    let first = 1000 * yaw + 200 * place + 100 * ear
                    return (0..<64).map { sample -> Float in Float(first + sample) }
                }
            }
        })

    @Test("a room is read as it was written")
    func readBack() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("prosc-\(UUID().uuidString).sofa").path
        defer { unlink(path) }
        try Self.room.write(to: path)
        let read = try BinauralRoom(contentsOf: path)
        #expect(read.sampleRate == 48_000 && read.sampleCount == 64 && read.emitterCount == 3 && read.remarks.isEmpty)
        #expect(read.attribute("SOFAConventions") == "SingleRoomMIMOSRIR" && read.attribute("Title") == "check")
        #expect(read.measurements.map { ($0.yaw * 180 / .pi).rounded() } == [-30, 0, 30])
        for (yaw, measurement) in read.measurements.enumerated() {
            #expect(abs(measurement.pitch) < 1e-9)
            for (place, loudspeaker) in Self.room.loudspeakers.enumerated() {
                let direction = Direction<Stage>(
                    azimuthDegrees: loudspeaker.azimuth, elevationDegrees: loudspeaker.elevation)
                let apart: SIMD3<Double> = measurement.offsets[place] - loudspeaker.distance * direction.unit
                #expect((apart * apart).sum() < 1e-12)
                let (left, right) = try read.responses(measurement: yaw, emitter: place, frames: 64)
                #expect(left == Self.room.responses[yaw][place][0] && right == Self.room.responses[yaw][place][1])
            }
        }
    }

    @Test("an existing file stays unless it may be replaced")
    func occupied() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("prosc-\(UUID().uuidString).sofa").path
        defer { unlink(path) }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: SOFAError.self) { try Self.room.write(to: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
        try Self.room.write(to: path, isReplacing: true)
        #expect(try BinauralRoom(contentsOf: path).emitterCount == 3)
    }
}
