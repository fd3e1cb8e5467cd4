import HeadTracking
import IMU
import Testing

@testable import Desk

@Suite struct TrackerComplaintTests {
    @Test func aGapInATurnIsAComplaintWithItsRemedy() throws {
        let complaint = try #require(TrackerReport.Complaint(InertialFilter.Gap(seconds: 1.04, deviation: 1.05)))
        #expect(complaint.name == "gap")
        #expect(
            complaint.words.contains("1.0 s") && complaint.words.contains("60°")
                && complaint.words.hasSuffix("recentre"))
        #expect(TrackerReport.Complaint(InertialFilter.Gap(seconds: 3, deviation: 0.01)) == nil)
    }

    @Test func theLaterTrackerIsToldWhichLatencyToSet() throws {
        let later = HeadTrackerStatus.Lateness(seconds: 0.148, deviation: 0.009)
        let complaint = try #require(TrackerReport.Complaint(later, on: .head, stated: 0.04))
        #expect(complaint.name == "late")
        #expect(
            complaint.words.hasPrefix("its samples are 148 ms (±9) later than the device's")
                && complaint.words.hasSuffix("latency=188"))
        #expect(TrackerReport.Complaint(later, on: .device, stated: 0) == nil)
        let earlier = HeadTrackerStatus.Lateness(seconds: -0.08, deviation: 0.01)
        #expect(TrackerReport.Complaint(earlier, on: .head, stated: 0) == nil)
        #expect(
            TrackerReport.Complaint(earlier, on: .device, stated: 0)?.words.contains("later than the head's") == true)
    }
}
