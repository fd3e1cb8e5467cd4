import Desk
import Foundation
import Testing

@testable import Session

@Suite(.timeLimit(.minutes(10))) struct LoadMeterTests {
    @Test func `The mean follows within seconds, the maximum counts for ten to twenty`() throws {
        var meter = LoadMeter()
        #expect(meter.mean == nil && meter.maximum == nil)
        var looks = 0
        /// Looks every 50 ms until a time, seconds.
        func look(until time: Double, _ load: Double) {
            while Double(looks) * 0.05 < time {
                looks += 1
                meter.look(load, ofPeriod: looks, at: Double(looks) * 0.05)
            }
        }
        look(until: 5, 0.2)
        #expect(meter.mean == 0.2 && meter.maximum == 0.2)
        looks += 1
        meter.look(0.9, ofPeriod: looks, at: 5.05)
        let mean = try #require(meter.mean)
        #expect(mean > 0.21 && mean < 0.23 && meter.maximum == 0.9)
        // The same period at another look counts once.
        meter.look(0.9, ofPeriod: looks, at: 5.06)
        #expect(meter.mean == mean)
        look(until: 14, 0.3)
        #expect(abs((meter.mean ?? 0) - 0.3) < 0.01 && meter.maximum == 0.9)
        look(until: 26, 0.3)
        #expect(meter.maximum == 0.3)
    }

    @Test func `The status has mean and maximum of the load`() async throws {
        let rig = try await LiveRig()
        #expect(await rig.live.status().loadMean == nil)
        rig.play(seconds: 0.1)
        await rig.clock.advance(by: 0.1)
        try await rig.heard { ($0.loadMean ?? 0) > 0 && ($0.loadMaximum ?? 0) >= ($0.loadMean ?? 1) - 1e-9 }
        try await rig.live.end()
    }
}
