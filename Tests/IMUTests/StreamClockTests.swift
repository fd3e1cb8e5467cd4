import Foundation
import Geometry
import IMU
import SeededRandom
import Testing

private typealias Dice = SplitMix

extension SplitMix {
    fileprivate mutating func exponential(_ mean: Double) -> Double { -mean * log(1 - unit()) }
}

/// Returns a measurement at rest, with the sender's stamp and number.
private func reading(_ stamp: SenderStamp? = nil, _ sequence: SenderSequence? = nil) -> TrackerReading {
    let still = InertialSample(rate: SIMD3(0, 0, 0), force: SIMD3(0, 0, 9.81))
    return TrackerReading(.inertial(still), stamp: stamp, sequence: sequence)
}

/// A stream over a network: when each sample was sent, its stamp, and when it arrived.
private struct Network {
    var rate = 100.0
    /// Seconds.
    var duration = 60.0
    /// The sender's clock is slow by this share.
    var skew = 80e-6
    /// Sender's clock, seconds: reading at the start, length of its steps, and reading at which it wraps.
    var zero = 1234.5
    var resolution = 0.0
    var wrap: Double?
    var loss = 0.0
    /// Whether messages keep their order.
    var keepsOrder = true
    var delay: (inout Dice) -> Double

    /// Wi-Fi: 4 ms exponential, and one in a hundred held up by 20 to 80 ms.
    static func wifi(_ dice: inout Dice) -> Double {
        dice.exponential(0.004) + (dice.unit() < 0.01 ? 0.02 + 0.06 * dice.unit() : 0)
    }

    func messages(seed: UInt64) -> [(sent: Double, stamp: SenderStamp, number: Int, arrival: Double)] {
        var dice = Dice(state: seed)
        var result: [(sent: Double, stamp: SenderStamp, number: Int, arrival: Double)] = []
        var last = 0.0
        for index in 0..<Int(duration * rate) {
            let sent = Double(index) / rate
            var arrival = sent + delay(&dice)
            if keepsOrder { arrival = max(arrival, last) }
            last = arrival
            if dice.unit() < loss { continue }
            var stamp = zero + sent * (1 - skew)
            if resolution > 0 { stamp = (stamp / resolution).rounded(.down) * resolution }
            if let wrap { stamp = stamp.truncatingRemainder(dividingBy: wrap) }
            result.append((sent, SenderStamp(seconds: stamp, wrap: wrap), index, arrival))
        }
        return keepsOrder ? result : result.sorted { $0.arrival < $1.arrival }
    }
}

/// Mean, standard deviation and greatest deviation from the mean, milliseconds.
private struct Errors: CustomStringConvertible {
    var mean = 0.0
    var sd = 0.0
    var max = 0.0
    init(_ seconds: [Double]) {
        mean = seconds.reduce(0, +) / Double(seconds.count) * 1000
        for s in seconds { max = Swift.max(max, abs(s * 1000 - mean)) }
        sd = (seconds.reduce(0) { $0 + ($1 * 1000 - mean) * ($1 * 1000 - mean) } / Double(seconds.count)).squareRoot()
    }
    var description: String {
        String(format: "mean %.3f ms, standard deviation %.3f ms, at most %.3f ms off it", mean, sd, max)
    }
}

@Suite struct StreamClockTests {
    private static let seeds: [UInt64] = [1, 2, 3]
    private static let start = 5000.0

    /// Errors of the times of `clock` after ten seconds.
    private func errors(
        _ network: Network, seed: UInt64, _ clock: inout StreamClock, stamps: Bool = true, modulus: UInt64? = nil
    ) -> Errors {
        var result: [Double] = []
        for message in network.messages(seed: seed) {
            let count = modulus.map { SenderSequence(UInt64(message.number) % $0, modulus: $0) }
            let time = clock.time(
                of: reading(stamps ? message.stamp : nil, count), arrival: Self.start + message.arrival)
            #expect(time <= Self.start + message.arrival + 1e-3)
            if message.sent > 10 { result.append(time - Self.start - message.sent) }
        }
        return Errors(result)
    }

    @Test(arguments: seeds, [true, false])
    func stampsOverWiFiAreKnownToATenthOfAMillisecond(seed: UInt64, order: Bool) {
        var clock = StreamClock()
        let found = errors(Network(keepsOrder: order, delay: Network.wifi), seed: seed, &clock)
        print("clock, stamped, Wi-Fi: \(found), skew \(clock.timing.skewPPM ?? 0) ppm")
        #expect(found.sd <= 0.1)
        #expect(abs(found.mean) <= 0.1)
        #expect(abs((clock.timing.skewPPM ?? 0) - 80) < 10)
        #expect(clock.timing.source == .sender)
        #expect(abs((clock.timing.period ?? 0) - 0.01) < 1e-5)
        #expect((0.006...0.014).contains(clock.timing.jitter ?? 0))
    }

    @Test(arguments: seeds) func aCountOfMessagesDoesAlmostAsWell(seed: UInt64) {
        var clock = StreamClock()
        let network = Network(loss: 0.01, delay: Network.wifi)
        let found = errors(network, seed: seed, &clock, stamps: false, modulus: 256)
        print("clock, counted, Wi-Fi: \(found)")
        #expect(found.sd <= 0.15)
        #expect(clock.timing.source == .rate)
        // The messages that never arrived count as lost, up to the last message that arrived.
        let messages = network.messages(seed: seed)
        #expect(clock.timing.lost == (messages.last?.number ?? 0) + 1 - messages.count)
        #expect((0.003...0.02).contains(clock.timing.loss ?? 0))
    }

    /// No message is lost; messages are late, and sometimes held up.
    @Test(arguments: seeds) func jitterIsNoLoss(seed: UInt64) {
        let network = Network(delay: Network.wifi)
        for stamps in [true, false] {
            var clock = StreamClock()
            _ = errors(network, seed: seed, &clock, stamps: stamps)
            #expect(clock.timing.lost == nil && clock.timing.loss == nil, "nobody counted: \(clock.timing)")
            var counted = StreamClock()
            _ = errors(network, seed: seed, &counted, stamps: stamps, modulus: 256)
            #expect(counted.timing.lost == 0)
        }
    }

    @Test(arguments: [(50.0, 0.001, 0.6), (100, 1e-4, 0.1)])
    func coarseStampsCostHalfTheirStep(rate: Double, resolution: Double, allowed: Double) {
        var clock = StreamClock()
        let network = Network(rate: rate, resolution: resolution, loss: 0.01) { $0.exponential(0.01) }
        #expect(errors(network, seed: 5, &clock).sd <= allowed)
        #expect(clock.timing.lost == nil)
    }

    @Test(arguments: [4.096, 65.536]) func clocksThatWrapGoOn(wrap: Double) {
        var clock = StreamClock()
        let network = Network(resolution: 0.001, wrap: wrap) { $0.exponential(0.002) }
        // The limit is half a step, plus the change from the stamps to the regular rate from which they are rounded.
        #expect(errors(network, seed: 6, &clock).sd <= 0.45)
        #expect(clock.timing.resets == 0)
    }

    @Test func aSenderThatStartsAnewIsBelievedAtOnce() {
        var clock = StreamClock()
        var dice = Dice(state: 7)
        var after: [Double] = []
        for index in 0..<4000 {
            let sent = Double(index) / 100
            let stamp = index < 2000 ? 900 + sent : sent - 20
            let arrival = sent + dice.exponential(0.002)
            let time = clock.time(of: reading(SenderStamp(seconds: stamp)), arrival: arrival)
            if index >= 2000 {
                #expect(abs(time - sent) < 0.03)
                if index >= 2200 { after.append(time - sent) }
            }
        }
        #expect(Errors(after).sd < 0.2)
        #expect(clock.timing.resets == 1)
    }

    /// The first counted message is no restart. A restart of count and clock is one.
    @Test(arguments: [false, true]) func onlyRestartsOfTheCountAreCounted(hasStamps: Bool) {
        var clock = StreamClock()
        for index in 0..<4000 {
            let sent = Double(index) / 100
            let isBefore = index < 2000
            let stamp = hasStamps ? SenderStamp(seconds: isBefore ? 900 + sent : sent - 20) : nil
            let count = SenderSequence(UInt64(isBefore ? 5000 + index : index - 2000), modulus: nil)
            _ = clock.time(of: reading(stamp, count), arrival: sent + 0.001)
            #expect(clock.timing.resets == (isBefore ? 0 : 1), "at \(sent) s")
        }
    }

    /// A longer network path, a clock that is set, or a sender that slept: all later stamps are late by the same time.
    @Test(arguments: [0.02, 0.2, 0.7, 20]) func aClockThatIsSetBackIsFollowed(seconds: Double) {
        var clock = StreamClock()
        var dice = Dice(state: 8)
        for index in 0..<6000 {
            let sent = Double(index) / 100
            let stamp = sent - (index < 3000 ? 0 : seconds)
            let time = clock.time(
                of: reading(SenderStamp(seconds: stamp)), arrival: sent + dice.exponential(0.001))
            if index > 3450 || index < 3000 { #expect(abs(time - sent) < 0.01, "at \(sent) s") }
        }
    }

    @Test func aStallIsNoReset() {
        var clock = StreamClock()
        for index in 0..<3000 {
            let sent = Double(index) / 100
            // Everything between 15 and 17 s comes in one moment.
            let arrival = (15...17).contains(sent) ? 17.001 : sent + 0.001
            let time = clock.time(of: reading(SenderStamp(seconds: sent)), arrival: arrival)
            #expect(abs(time - sent) < 0.002)
        }
        #expect(clock.timing.resets == 0)
    }

    @Test func readingsOfOneMessageBelongToOneMoment() {
        var clock = StreamClock()
        let pose = TrackerMotion.orientation(Rotation(yaw: 0.1))
        for index in 0..<500 {
            let arrival = Double(index) / 100
            let first = clock.time(of: reading(), arrival: arrival)
            #expect(clock.time(of: TrackerReading(pose), arrival: arrival) == first)
            #expect(clock.time(of: TrackerReading(.recentre(full: false)), arrival: arrival) == first)
        }
        #expect(abs((clock.timing.period ?? 0) - 0.01) < 1e-6)
    }

    @Test(arguments: [50.0, 100, 200], seeds) func jitterAndLossAreTakenOutWithoutStamps(rate: Double, seed: UInt64) {
        var clock = StreamClock()
        let network = Network(rate: rate, loss: 0.01) { $0.unit() * 0.5 / rate }
        let found = errors(network, seed: seed, &clock, stamps: false)
        print("clock, bare, \(rate) Hz, jitter half a period, 1 % loss: \(found)")
        // The arrivals alone have an error of 0.29 periods, RMS.
        #expect(found.sd < 0.05 * 1000 / rate)
    }

    @Test func aRegularStreamIsLeftAlone() {
        var clock = StreamClock()
        #expect(errors(Network { _ in 0 }, seed: 1, &clock, stamps: false).max < 0.01)
    }

    @Test func anIrregularStreamKeepsItsArrivals() {
        var clock = StreamClock()
        var dice = Dice(state: 9)
        var time = 5.0
        for _ in 0..<2000 {
            time += 0.001 + 0.099 * dice.unit()
            let stamp = clock.time(of: reading(), arrival: time)
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
            let stamp = clock.time(of: reading(), arrival: time)
            if index > 2500 { worst = max(worst, abs(stamp - time)) }
        }
        #expect(worst < 0.001)
        #expect(abs((clock.timing.period ?? 0) - new) < 1e-4)
    }

    @Test func aSilenceBeginsAnew() {
        var clock = StreamClock()
        for index in 0..<200 { _ = clock.time(of: reading(), arrival: Double(index) / 100) }
        #expect(clock.time(of: reading(), arrival: 7.123) == 7.123)
    }

    @Test func nonsenseDoesNoHarm() {
        var clock = StreamClock()
        var dice = Dice(state: 10)
        var arrival = 0.0
        for _ in 0..<20000 {
            arrival += dice.exponential(0.01)
            let wild = [dice.unit(), 1e12 * dice.unit(), -1e9, .nan, .infinity, arrival][Int(dice.unit() * 6)]
            let stamp: SenderStamp? =
                dice.unit() < 0.2 ? nil : SenderStamp(seconds: wild, wrap: dice.unit() < 0.3 ? 0.001 : nil)
            let count: SenderSequence? = dice.unit() < 0.5 ? nil : SenderSequence(dice.next(), modulus: 7)
            let time = clock.time(of: reading(stamp, count), arrival: arrival)
            #expect(time.isFinite)
            #expect(time <= arrival + 0.01)
        }
        #expect((0...1).contains(clock.timing.loss ?? 0))
    }
}
