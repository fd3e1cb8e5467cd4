import Foundation
import IMU
import SeededRandom
import Testing

/// Times of recordings from their stamps alone. No seed here was looked at while the clock was made.
@Suite struct RecordedClockTests {
    @Test(arguments: [50.0, 100, 400], [0.001, 0.002, 0.005])
    func scatterIsTakenOut(rate: Double, most: Double) {
        for seed in 61...64 as ClosedRange<UInt64> {
            var (clock, dice, errors) = (RecordedClock(), SplitMix(state: seed &* 7411), [Double]())
            for (index, time) in evenTimes(rate, until: 40).enumerated() {
                guard let found = clock.time(of: time + most * (2 * dice.unit() - 1)) else {
                    Issue.record("\(time) s was refused")
                    continue
                }
                if index > 512 { errors.append(found - time) }
            }
            let mean = errors.reduce(0, +) / Double(errors.count)
            let scatter = (errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(errors.count)).squareRoot()
            #expect(scatter < 0.3 * most, "\(rate) Hz, ±\(most) s: \(scatter) s")
            guard case .jitter = clock.fault else {
                Issue.record("\(rate) Hz, ±\(most) s: \(String(describing: clock.fault))")
                continue
            }
        }
    }

    /// Exact stamps stay as they are: even, uneven, with losses and with pauses.
    @Test(arguments: [65 as UInt64, 66, 67]) func exactStampsStay(seed: UInt64) {
        var dice = SplitMix(state: seed)
        let even = evenTimes(100, until: 40)
        var sum = 0.0
        let uneven = even.map { _ in
            sum += 0.005 + 0.01 * dice.unit()
            return sum
        }
        let lossy = even.filter { _ in dice.unit() > 0.05 }
        let pausing = even.filter { $0.truncatingRemainder(dividingBy: 5) > 0.3 }
        for times in [even, uneven, lossy, pausing] {
            var clock = RecordedClock()
            #expect(times.allSatisfy { clock.time(of: $0) == $0 } && clock.fault == nil)
        }
    }

    @Test func timesOutOfOrderAreRefused() {
        var clock = RecordedClock()
        for index in 0..<100 { #expect(clock.time(of: Double(index) / 100) != nil) }
        #expect(clock.time(of: 0.985) == nil && clock.time(of: 0.5) == nil && clock.time(of: 1) == 1)
    }
}
