import Testing

@testable import Measurement

struct PeriodTimesTests {
    @Test func percentilesAreTimesThatWereMeasured() {
        // 1…2000 µs of a period of 2 ms, not in order.
        let times = PeriodTimes(nanoseconds: (1...2000).map { Int32($0 * 1000) }.reversed(), lasting: 0.002)
        #expect(times.count == 2000)
        #expect(abs(times.median - 0.5) < 1e-12)
        #expect(abs(times.p99 - 0.99) < 1e-12)
        #expect(abs(times.p999 - 0.999) < 1e-12)
        #expect(times.max == 1)
    }

    @Test func oneLateThousandthIsNotBelowTheLastPercentile() {
        // The longest of 1000 is the one in a thousand; of 999 it is more than that.
        let usual = [Int32](repeating: 1000, count: 998)
        let (of1000, of999) = (
            PeriodTimes(nanoseconds: usual + [1000, 9000], lasting: 1e-5),
            PeriodTimes(nanoseconds: usual + [9000], lasting: 1e-5)
        )
        #expect(of1000.p999 == of1000.median)
        #expect(of999.p999 == of999.max)
        let alone = PeriodTimes(nanoseconds: [7000], lasting: 1e-5)
        #expect(alone.median == alone.max)
    }

    @Test func halfOfThePeriodFitsFourFifthsAreTight() {
        #expect(CapacityVerdict(p999: 0) == .fits)
        #expect(CapacityVerdict(p999: 0.5) == .fits)
        #expect(CapacityVerdict(p999: 0.500_001) == .tight)
        #expect(CapacityVerdict(p999: 0.8) == .tight)
        #expect(CapacityVerdict(p999: 0.800_001) == .exceeds)
        #expect([CapacityVerdict.exceeds, .fits, .tight].sorted() == [.fits, .tight, .exceeds])
    }
}
