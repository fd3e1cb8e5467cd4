import Foundation
import Geometry
import HRTF
import Rooms
import Signal
import Testing

/// Published files, in the folder of evaluation data that `PROSCENIUM_DATA` names.
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
        "an anechoic ring is no room: refused, with what it is for",
        .enabled(if: folder != nil, "PROSCENIUM_DATA does not name a folder of evaluation data"))
    func anechoic() throws {
        let path = (Self.folder ?? "") + "supdeq__HRIR_CIRC360.sofa"
        let error = #expect(throws: RoomError.self) { try RoomViews(sofaAt: path) }
        #expect(error?.description.contains("hold no room; play it with --hrtf") == true)
    }
}
