import IMU
import Testing

@testable import Desk

@Suite struct GapComplaintTests {
    @Test func aGapInATurnIsAComplaintWithItsRemedy() throws {
        let complaint = try #require(TrackerReport.Complaint(InertialFilter.Gap(seconds: 1.04, deviation: 1.05)))
        #expect(complaint.name == "gap")
        #expect(
            complaint.words.contains("1.0 s") && complaint.words.contains("60°")
                && complaint.words.hasSuffix("recentre"))
        #expect(TrackerReport.Complaint(InertialFilter.Gap(seconds: 3, deviation: 0.01)) == nil)
    }
}
