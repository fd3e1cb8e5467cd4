import Geometry
import IMU
import Testing

@testable import HeadTracking

/// Samples of a raw IMU are missing in a turn: the status reports this until the user recentres.
@Suite struct LostSamplesTests {
    @Test func theStateTellsOfAGapUntilTheUserRecentres() throws {
        let degree = Double.pi / 180
        var tracker = HeadTracker()
        var now = 0.0
        func take(until end: Double, _ degreesPerSecond: Double) {
            while now < end {
                now += 0.01
                tracker.head(
                    TrackerSample(
                        time: now,
                        .inertial(
                            InertialSample(rate: SIMD3(0, 0, degreesPerSecond * degree), force: SIMD3(0, 0, 9.81)))))
                _ = tracker.forecast(at: now)
            }
        }
        take(until: 10, 0)
        take(until: 12, 60)
        #expect(try #require(tracker.status(at: now).headInertial).gap == nil)
        now += 1
        take(until: now + 0.5, 60)
        let status = tracker.status(at: now)
        let gap = try #require(status.headInertial?.gap)
        #expect(abs(gap.seconds - 1) < 0.05 && abs(gap.deviation / degree - 60) < 6)
        #expect(status.yawDeviation > 50 * degree)
        let isCentred = tracker.recentre(at: now)
        #expect(isCentred)
        let after = tracker.status(at: now)
        #expect(after.headInertial?.gap == nil && after.yawDeviation < 1 * degree)
        // A second gap counts anew.
        now += 1
        take(until: now + 0.5, 60)
        #expect(tracker.status(at: now).yawDeviation > 50 * degree)
    }
}
