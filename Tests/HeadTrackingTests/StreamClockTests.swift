import HeadTracking
import Testing

@Suite struct StreamClockTests {
    /// Errors of the stamps against the times of sending, milliseconds, after three seconds.
    private func errors(
        rate: Double, loss: Double, seed: UInt64, skew: Double = 0, delay: (inout SplitMix) -> Double
    ) -> Spread {
        var clock = StreamClock()
        var random = SplitMix(state: seed)
        var result: [Double] = []
        for index in 0..<Int(60 * rate) {
            let sent = Double(index) / rate * (1 + skew)
            let arrival = 1000 + sent + delay(&random)
            if Double.random(in: 0...1, using: &random) < loss { continue }
            let stamp = clock.stamp(arrival: arrival) - 1000
            if sent > 3 { result.append((stamp - sent) * 1000) }
        }
        return Spread(result)
    }

    @Test(arguments: [50.0, 100, 200], [1, 2, 3] as [UInt64])
    func jitterAndLossAreTakenOut(rate: Double, seed: UInt64) {
        let spread = errors(rate: rate, loss: 0.01, seed: seed, skew: 80e-6) { random in
            .random(in: 0...0.5 / rate, using: &random)
        }
        print("clock at \(rate) Hz, jitter half a period, 1 % loss: error in ms, \(spread)")
        // As they arrive they would be 0.29 periods late, RMS.
        #expect(spread.rms < 0.05 * 1000 / rate)
    }

    @Test func aRegularStreamIsLeftAlone() {
        let spread = errors(rate: 100, loss: 0, seed: 1) { _ in 0 }
        #expect(spread.max < 0.01)
    }

    @Test func anIrregularStreamKeepsItsArrivals() {
        var clock = StreamClock()
        var random = SplitMix(state: 9)
        var time = 5.0
        for _ in 0..<2000 {
            time += Double.random(in: 0.001...0.1, using: &random)
            let stamp = clock.stamp(arrival: time)
            #expect(stamp <= time + 1.1e-4)
            #expect(stamp > time - 0.1)
        }
    }

    @Test(arguments: [(0.01, 0.02), (0.02, 0.01), (0.01, 0.008)]) func aNewRateIsFollowed(old: Double, new: Double) {
        var clock = StreamClock()
        var worst = 0.0
        var time = 0.0
        for index in 0..<3000 {
            time += index < 1000 ? old : new
            let stamp = clock.stamp(arrival: time)
            if index > 2500 { worst = max(worst, abs(stamp - time)) }
        }
        #expect(worst < 0.001)
        #expect(abs((clock.period ?? 0) - new) < 1e-4)
    }

    @Test func aSilenceBeginsAnew() {
        var clock = StreamClock()
        for index in 0..<200 { _ = clock.stamp(arrival: Double(index) / 100) }
        #expect(clock.stamp(arrival: 7.123) == 7.123)
    }
}
