import Desk
import Foundation
import Gate
import Testing

@testable import Control
@testable import Stages

/// Telemetry as lines of JSON.
@Suite struct TelemetryTextTests {
    @Test func whatIsWrittenByHandIsReadAsItWas() throws {
        var sample = SessionTelemetry()
        (sample.yaw, sample.pitch, sample.roll, sample.heardAt) = (-12.25, 1e-7, 180, 86_400.123456)
        (sample.inputs, sample.ears, sample.reduction) = ([-200, -3.5], [-1, -20.125], -0.5)
        (sample.momentary, sample.shortTerm, sample.load, sample.mode) = (-23.1, -200, 0.125, "tra\"cked")
        (sample.xruns, sample.skipped, sample.hasClipped, sample.trackerRate) = (3, 1 << 40, true, 99.5)
        sample.talkers = [TalkerStatus(azimuth: 30.5, elevation: -2, presence: 0.75)]
        struct Line: Decodable { var meters: SessionTelemetry }
        let read = try JSONDecoder().decode(Line.self, from: Data(sample.metersLine.utf8))
        #expect(read.meters == sample)
        let pose = try #require(JSONValue(parsing: sample.poseLine))
        #expect(pose["pose"] == .list([.number(-12.25), .number(1e-7), .number(180)]))
        #expect(pose["heardAt"] == .number(86_400.123456))
        sample.yaw = .nan
        #expect(JSONValue(parsing: sample.poseLine) != nil)
    }
}
