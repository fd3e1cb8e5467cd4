import Foundation
import IMU
import SeededRandom
import Testing

/// What a clock infers about stamps, and the times that it returns.
@Suite struct StampTests {
    /// Standard deviation of the times against those at which the samples were taken, seconds, after `start` seconds.
    private func scatter(_ motion: StampedMotion, _ times: [Double], after start: Double = 5) -> Double {
        let errors = zip(motion.samples, times).filter { $0.0.time > start }.map { $1 - $0.time - 5000 }
        let mean = errors.reduce(0, +) / Double(errors.count)
        return (errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(errors.count)).squareRoot()
    }

    private static let named: [(Distortion, [String])] = [
        (.exact, []), (.none, []), (.jitter(0.001), ["jitter"]), (.jitter(0.002), ["jitter"]),
        (.jitter(0.005), ["jitter"]), (.late(0.001), ["jitter"]), (.unit(1e-3), ["unit"]), (.unit(1e-6), ["unit"]),
        (.unit(1e-9), ["unit"]), (.unit(1000), ["unit"]), (.constant, ["constant"]), (.backwards, ["backwards"]),
        (.interleaved(4321), ["interleaved"]), (.interleaved(0.5), ["interleaved"]),
        (.interleaved(-86_400), ["interleaved"]),
    ]

    @Test(arguments: [50.0, 100, 400], StampedMotion.Way.allCases)
    func whatIsWrongIsNamedWithinFiveSeconds(rate: Double, way: StampedMotion.Way) {
        for (distortion, names) in Self.named {
            let motion = StampedMotion(times: evenTimes(rate, until: 5), seed: 31, way: way)
            let clock = motion.times(distortion, seed: 31).clock
            #expect(clock.timing.faults.map(\.name) == names, "\(distortion)")
            #expect((clock.timing.source == .sender) == (distortion == .exact || names == ["unit"]), "\(distortion)")
        }
    }

    @Test func coarseClocksAreNamed() {
        for (rate, step) in [(400.0, 0.001), (400, 0.01), (95, 0.01), (95, 0.002)] {
            let motion = StampedMotion(times: evenTimes(rate, until: 10), seed: 32, way: .quiet)
            let timing = motion.times(.quantised(step), seed: 32).clock.timing
            guard case .quantised(let found) = timing.faults.first else {
                Issue.record("\(rate) Hz, \(step) s: \(timing.faults)")
                continue
            }
            #expect(abs(found - step) < 1e-5 && timing.faults.count == 1)
        }
    }

    @Test func secondsInPlaceOfNanosecondsAreCorrectedAndCoarse() {
        let motion = StampedMotion(times: evenTimes(100, until: 30), seed: 33, way: .quiet)
        var clock = StreamClock()
        for sample in motion.samples {
            let stamp = SenderStamp(seconds: (1234.5 + sample.time).rounded(.down) * 1e-9, unit: 1e-9)
            _ = clock.time(of: TrackerReading(.inertial(sample.measured), stamp: stamp), arrival: sample.arrival)
        }
        #expect(clock.timing.faults.map(\.name) == ["unit", "quantised"])
        #expect(
            clock.timing.faults.first?.description.contains("count seconds where the format has nanoseconds") == true)
        #expect(clock.timing.source == .rate)
    }

    @Test func sentencesSayWhatIsDoneAndWhatToDo() {
        let unit = StampFault.unit(factor: 1000, unit: 1e-9).description
        #expect(unit.contains("count microseconds where the format has nanoseconds") && unit.contains("1000"))
        #expect(StampFault.unit(factor: 1e-3, unit: nil).description.contains("1000 times too large"))
        #expect(StampFault.jitter(0.00289).description.contains("2.9 ms RMS"))
        #expect(StampFault.quantised(0.01).description.contains("steps of 10 ms"))
    }

    /// Taken at face value, the stamps have errors of 0.6, 1.2 and 2.9 ms.
    @Test(arguments: [0.001, 0.002, 0.005], [41 as UInt64, 42, 43])
    func jitterIsTakenOut(most: Double, seed: UInt64) {
        for rate in [50.0, 100, 400] {
            let motion = StampedMotion(times: evenTimes(rate, until: 60), seed: seed, way: .quiet)
            let found = scatter(motion, motion.times(.jitter(most), seed: seed).times)
            #expect(found < (rate == 400 ? 0.001 : 0.0001), "\(rate) Hz: \(found * 1000) ms")
        }
    }

    /// Lost messages are bridged by the number of periods that have passed.
    @Test(arguments: [44 as UInt64, 45, 46]) func lossIsBridgedUnderJitter(seed: UInt64) {
        var dice = SplitMix(state: seed)
        let times = evenTimes(100, until: 60).filter { $0 == 0 || $0 == 60 || dice.unit() > 0.05 }
        for way in StampedMotion.Way.allCases {
            let motion = StampedMotion(times: times, seed: seed, way: way)
            let (found, clock) = motion.times(.jitter(0.002), seed: seed)
            let deviation = scatter(motion, found)
            print("loss under jitter, \(way): \(deviation * 1000) ms")
            #expect(deviation < (way == .quiet ? 0.0002 : 0.002), "\(way): \(deviation * 1000) ms")
            #expect(clock.timing.faults.map(\.name) == ["jitter"])
        }
    }

    /// Exact stamps of a sensor that measures at uneven times, loses samples or pauses are not changed.
    @Test(arguments: [47 as UInt64, 48, 49], StampedMotion.Way.allCases)
    func exactStampsStayAsTheyAre(seed: UInt64, way: StampedMotion.Way) {
        for rate in [50.0, 100, 400] {
            var dice = SplitMix(state: seed)
            var (narrow, wide) = (0.0, 0.0)
            var streams: [(String, [Double])] = [("even", evenTimes(rate, until: 40))]
            streams.append(
                (
                    "uneven",
                    (0..<Int(40 * rate)).map { _ in
                        narrow += (0.5 + dice.unit()) / rate
                        return narrow
                    }
                ))
            streams.append(
                (
                    "very uneven",
                    (0..<Int(40 * rate)).map { _ in
                        wide += (0.1 + 1.8 * dice.unit()) / rate
                        return wide
                    }
                ))
            streams.append(("lossy", streams[0].1.filter { _ in dice.unit() > 0.05 }))
            streams.append(("pausing", streams[0].1.filter { $0.truncatingRemainder(dividingBy: 5) > 0.3 }))
            for (name, times) in streams {
                let motion = StampedMotion(times: times, seed: seed, way: way)
                let (found, clock) = motion.times(.exact, seed: seed)
                #expect(clock.timing.source == .sender && clock.timing.faults.isEmpty, "\(name), \(rate) Hz")
                #expect(scatter(motion, found, after: 10) < 0.0003, "\(name), \(rate) Hz")
            }
        }
    }
}
