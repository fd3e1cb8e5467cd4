import Foundation
import Geometry
import Testing

@testable import Session

struct CapacityProbeTests {
    @Test func aShortMeasurementHasAllItsParts() async throws {
        let report = try await CapacityProbe.measure(
            StageSettings(layout: "stereo", hrtf: "generated"), sampleRate: 48_000, seconds: 0.4,
            progress: { _ in true })
        // stereo, 5.1, 7.1.4, 9.1.6, 32 and 64 sources under every setting, ambi3 and ambi7 under few, each measured.
        let stages = 6 * CapacityCell.Setting.usual.count + 2 * CapacityCell.Setting.few.count
        #expect(report.cells.count { $0.room == nil } == stages)
        // Rooms are measured where the stage fits without one, at one or two settings.
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

    @Test func theHeadGoesWhereItsForecastSays() {
        for second in stride(from: 0.0, to: 12, by: 0.37) {
            let soon = TurningHead.forecast(at: second).headToStage(at: second + 0.01)
            let there = TurningHead.forecast(at: second + 0.01).pose.quaternion
            // 10 ms ahead: what is left is the nod's acceleration.
            let apart = 2 * acos(min(1, abs((soon.conjugate * there).w)))
            #expect(apart < 0.01 * .pi / 180)
        }
    }
}
