import Testing

@testable import Inserts

@Suite struct InsertMeterTests {
    @Test(
        "a quantile is at least the true duration, and at most a quarter more",
        arguments: [32, 39, 40, 63, 64, 1000, 1599, 1600, 65_535, 1_000_000, 123_456_789])
    func quantile(_ nanoseconds: Int) {
        var meter = InsertMeter()
        for _ in 0..<10 { meter.note(nanoseconds: nanoseconds, frames: 64, isLate: false) }
        for share in [0.1, 0.5, 1] {
            let found = meter.quantile(share)
            #expect(found >= Double(nanoseconds) && found <= 1.25 * Double(nanoseconds) + 1, "\(found)")
        }
        #expect(InsertMeter().quantile(0.5) == 0)
    }
}
