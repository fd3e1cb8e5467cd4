import Foundation
import Loading
import Measurement
import Stages
import Testing

@testable import Probes
@testable import Session

struct CapacityProbeTests {
    @Test func aShortMeasurementHasAllItsParts() async throws {
        let report = try await CapacityProbe.measure(
            StageSettings(layout: "stereo", hrtf: "generated"), sampleRate: 48_000, seconds: 0.4,
            progress: { _ in true })
        // Stereo, 5.1, 7.1.4, 9.1.6, 32 and 64 sources are measured at every setting, ambi3 and ambi7 at a few
        // settings.
        let stages = 6 * CapacityCell.Setting.usual.count + 2 * CapacityCell.Setting.few.count
        #expect(report.cells.count { $0.room == nil } == stages)
        // Rooms are measured at one or two settings at which the stage fits without a room.
        let rooms = report.cells.count { $0.room != nil }
        #expect(rooms.isMultiple(of: CapacityCell.Room.usual.count))
        #expect((rooms > 0) == (report.suggested != nil))
        for cell in report.cells {
            let times = cell.times
            #expect(times.count > 0 && times.median > 0)
            #expect(times.median <= times.p99 && times.p99 <= times.p999 && times.p999 <= times.max)
        }
        #expect(report.machine.cores > 0)
        #expect(report.suggested != nil || report.woken.isEmpty)
        #expect(report.lines.contains { $0.contains(report.machine.instructionSet) })
        _ = try JSONDecoder().decode(CapacityReport.self, from: try JSONEncoder().encode(report))
    }

    @Test func itStopsWhenAsked() async {
        await #expect(throws: SessionError.self) {
            _ = try await CapacityProbe.measure(
                StageSettings(layout: "stereo", hrtf: "generated"), sampleRate: 48_000, seconds: 60,
                progress: { _ in false })
        }
    }
}
