import Foundation
import Geometry
import HRTF
import Rooms
import Signal
import Testing

/// Files that others made, where `PROSCENIUM_DATA` says they are.
@Suite("Rooms found in the wild")
struct FoundRoomTests {
    static let folder = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"].map { $0 + "/sofa/" }

    @Test(
        "a room labelled as free field, four loudspeakers at 44.1 kHz, plays at 48 kHz without following the head",
        .enabled(if: folder != nil, "PROSCENIUM_DATA does not name a folder of evaluation data"))
    func labelledFreeField() throws {
        let path = (Self.folder ?? "") + "3dti__3DTI_BRIR_small_44100Hz.sofa"
        let (room, report) = try RoomResponses.prepare(
            RoomViews(sofaAt: path), for: Fixture.loudspeakers, heardThrough: Fixture.field)
        #expect(room.yawCount == 1 && room.includesDirect && room.sampleRate == .studio)
        #expect(report.remarks.contains { $0.contains("labelled as free field") })
        #expect(report.remarks.contains { $0.contains("is heard") }, "loudspeakers stand elsewhere than asked: said")
        let decay = RoomMeasures.energyDecay(
            RoomMeasures.octave(3, of: room.response(source: 0, yaw: 0, ear: 0), sampleRate: 48_000))
        let time = try #require(RoomMeasures.reverberationTime(decay, sampleRate: 48_000))
        #expect((0.3...0.6).contains(time))
    }

    @Test(
        "a ring of 360 directions is one loudspeaker and a turning head, and the room turns for each of the stage's",
        .enabled(if: folder != nil, "PROSCENIUM_DATA does not name a folder of evaluation data"))
    func ring() throws {
        let path = (Self.folder ?? "") + "supdeq__HRIR_CIRC360.sofa"
        let stage: [Direction<Stage>?] = [30.0, -30].map { Direction(azimuthDegrees: $0, elevationDegrees: 0) }
        let (room, _) = try RoomResponses.prepare(
            RoomViews(sofaAt: path), for: stage, heardThrough: Fixture.field)
        #expect(room.yawCount == 180 && room.sourceCount == 2)
        // The left loudspeaker with the head 60° to the left sounds as the right one with the head ahead.
        let left = (0..<2).map { room.response(source: 0, yaw: 30, ear: $0) }
        let right = (0..<2).map { room.response(source: 1, yaw: 0, ear: $0) }
        for ear in 0..<2 { #expect(alike(left[ear], right[ear]) > 0.9999) }
    }
}
