import Desk
import Synchronization
import Testing
import Waiting

/// Telemetry is sampled at the rate that the fastest subscriber needs, and sent at once.
@Suite struct TelemetryFeedTests {
    /// A timer that the test fires.
    private final class Hand: Sendable {
        private let beats = Mutex<[Int: (seconds: Double, work: @Sendable () -> Void)]>([:])
        private let count = Mutex(0)

        /// Intervals of the running timers, seconds.
        var intervals: [Double] { beats.withLock { $0.values.map(\.seconds) } }

        func beat(_ seconds: Double, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
            let number = count.withLock { count in
                count += 1
                return count
            }
            beats.withLock { $0[number] = (seconds, work) }
            return { self.beats.withLock { _ = $0.removeValue(forKey: number) } }
        }

        func strike(_ times: Int) {
            for _ in 0..<times { for beat in beats.withLock({ Array($0.values) }) { beat.work() } }
        }
    }

    /// Telemetry that a listener received.
    private final class Heard: Sendable {
        private let all = Mutex<[TelemetryFeed.Streams]>([])
        func add(_ streams: TelemetryFeed.Streams) { all.withLock { $0.append(streams) } }
        func count(_ stream: TelemetryFeed.Streams) -> Int { all.withLock { $0.count { $0.contains(stream) } } }
        var calls: Int { all.withLock { $0.count } }
    }

    @Test func itBeatsAsFastAsTheMostCuriousNeedsItAndNotForNobody() {
        let hand = Hand()
        let feed = TelemetryFeed()
        feed.beat { hand.beat($0, $1) }
        #expect(hand.intervals.isEmpty)
        let endMeters = feed.hear(.meters) { _, _ in }
        #expect(hand.intervals == [1.0 / 25])
        let endPose = feed.hear([.meters, .pose]) { _, _ in }
        #expect(hand.intervals == [1.0 / 120])
        endPose()
        #expect(hand.intervals == [1.0 / 25])
        endMeters()
        #expect(hand.intervals.isEmpty)
    }

    @Test func eachIsToldWhatItListensToAndBothStreamsAtOnce() {
        let hand = Hand()
        let feed = TelemetryFeed()
        feed.beat { hand.beat($0, $1) }
        let samples = Mutex(0)
        let wholes = Mutex(0)
        feed.serve { isWhole in
            if isWhole { wholes.withLock { $0 += 1 } }
            var sample = SessionTelemetry()
            // The yaw changes at every other sample only.
            sample.yaw = samples.withLock { samples in
                samples += 1
                return Double(samples / 2)
            }
            return sample
        }
        let (meters, both, pose) = (Heard(), Heard(), Heard())
        let ends = [
            feed.hear(.meters) { streams, _ in meters.add(streams) },
            feed.hear(.pose) { streams, _ in pose.add(streams) },
            feed.hear([.meters, .pose]) { streams, _ in both.add(streams) },
        ]
        hand.strike(240)
        #expect(abs(meters.count(.meters) - 50) <= 1 && meters.count(.pose) == 0)
        #expect(abs(pose.count(.pose) - 120) <= 1 && pose.count(.meters) == 0)
        #expect(both.count(.meters) == meters.count(.meters) && both.count(.pose) == pose.count(.pose))
        // Meters due together with a pose need no extra call.
        #expect(both.calls < both.count(.meters) + both.count(.pose))
        // The whole sample, meters included, is computed only when meters are due.
        #expect(wholes.withLock { $0 } == meters.count(.meters))
        ends.forEach { $0() }
        hand.strike(10)
        #expect(samples.withLock { $0 } == 240)
    }

    @Test func aNewListenerIsToldThePoseOfAHeadThatIsStill() {
        let hand = Hand()
        let feed = TelemetryFeed()
        feed.beat { hand.beat($0, $1) }
        feed.serve { _ in SessionTelemetry() }
        let (first, second) = (Heard(), Heard())
        let endFirst = feed.hear(.pose) { streams, _ in first.add(streams) }
        hand.strike(2)
        #expect(first.count(.pose) == 1)
        let endSecond = feed.hear(.pose) { streams, _ in second.add(streams) }
        hand.strike(2)
        #expect(second.count(.pose) == 1)
        endFirst()
        endSecond()
    }

    @Test func itHasAThreadOfItsOwnWhereNobodyLendsOne() async {
        let feed = TelemetryFeed()
        let samples = Mutex(0)
        feed.serve { _ in
            samples.withLock { $0 += 1 }
            return nil
        }
        let end = feed.hear(.pose) { _, _ in }
        #expect(await eventually { samples.withLock { $0 > 3 } })
        end()
    }
}
