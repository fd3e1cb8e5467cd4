import Geometry
import Glibc
import SeededRandom
import Signal
import Testing

@testable import Sweeps

@Suite("Faults of takes")
struct FaultTests {
    static let sweep = try! ExponentialSweep(seconds: 0.6, sampleRate: .studio, amplitude: 0.5)
    static let names = ["FC", "FL", "FR"]
    static let plan = RecoveryTests.plan(names, response: 0.35, sweep: sweep)
    /// One loudspeaker alone, with a sweep of usual length.
    static let single = RecoveryTests.plan(
        ["FC"], response: 0.35, sweep: try! ExponentialSweep(seconds: 2, sampleRate: .studio, amplitude: 0.5))

    /// Returns the faults of a take after `planting` changed its recording.
    private func faults(
        _ simulated: SimulatedTake, of plan: TakePlan = plan, looks: HeadLooks? = nil, playing: [String]? = nil,
        planting: (inout [Float], inout [Float]) -> Void = { _, _ in }
    ) throws -> [TakeFault] {
        var (left, right) = simulated.recorded(plan, .studio, playing: playing)
        planting(&left, &right)
        let take = try MeasuredTake(
            plan, left: left, right: right, first: SimulatedPerson.direction(Self.names[0]), looks: looks)
        let heard = take.responses.map {
            EarPlacement.Heard(
                loudspeaker: $0.loudspeaker, direction: SimulatedPerson.direction($0.loudspeaker),
                interauralTime: $0.interauralTime)
        }
        return take.faults + EarPlacement.faults(heard, earsAreKnown: false).values
    }

    /// Returns a random frame within the sweeps.
    private func place(in plan: TakePlan = plan, _ random: inout SplitMix) -> Int {
        let (first, last) = (plan.parts[0].start, plan.parts[plan.parts.count - 1].start + plan.sweep.samples.count)
        return first + Int((0.1 + 0.8 * random.unit()) * Double(last - first))
    }

    @Test("a good take has none", arguments: UInt64(201)...220)
    func good(seed: UInt64) throws { #expect(try faults(.all(seed: seed)).isEmpty) }

    @Test("a take that is clipped by 3 to 6 dB is named", arguments: UInt64(201)...220)
    func clipped(seed: UInt64) throws {
        let found = try faults(.all(seed: seed)) { left, _ in
            let most = (left.map(abs).max() ?? 0) * Float(0.5 + 0.01 * Double(seed - 201))
            left = left.map { max(-most, min(most, $0)) }
        }
        #expect(found.contains { $0.name == "clipped" }, "\(found)")
    }

    @Test("a quiet take is named", arguments: UInt64(201)...220)
    func quiet(seed: UInt64) throws {
        var simulated = SimulatedTake.all(seed: seed)
        simulated.gain = pow(10, -(50 + Double(seed - 201)) / 20)
        let found = try faults(simulated)
        #expect(found.contains { $0.name == "too-quiet" }, "\(found)")
    }

    @Test("a burst of noise is named", arguments: UInt64(201)...220)
    func noise(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let (start, length) = (place(in: Self.single, &random), 1000 + Int(3000 * random.unit()))
        let found = try faults(.all(seed: seed), of: Self.single) { left, right in
            let size = 0.1 * Double(left.map(abs).max() ?? 0)
            for i in start..<(start + length) {
                left[i] += Float(size * random.normal())
                right[i] += Float(size * random.normal())
            }
        }
        #expect(found.contains { $0.name == "noise" }, "\(found)")
    }

    @Test("another loudspeaker than the planned one is named", arguments: UInt64(201)...220)
    func wrongChannel(seed: UInt64) throws {
        let other = ["SL", "SR", "FL", "FR"][Int(seed) % 4]
        let playing = seed % 2 == 0 ? [other, "FL", "FR"] : ["FC", other == "FL" ? "SR" : "FR", "FR"]
        let found = try faults(.all(seed: seed), playing: playing)
        #expect(found.contains { $0.name == "wrong-channel" }, "\(playing): \(found)")
        #expect(!found.contains { $0.name == "swapped-ears" }, "\(playing): \(found)")
    }

    @Test("exchanged microphones are named", arguments: UInt64(201)...220)
    func swappedEars(seed: UInt64) throws {
        let found = try faults(.all(seed: seed)) { left, right in swap(&left, &right) }
        #expect(Set(found.map(\.name)) == ["swapped-ears"], "\(found)")
    }

    @Test("silence or lost frames in the middle are named", arguments: UInt64(201)...220)
    func dropout(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let (start, length) = (place(&random), 64 + Int(400 * random.unit()))
        let found = try faults(.all(seed: seed)) { left, right in
            if seed % 2 == 0 {
                for i in start..<(start + length) { (left[i], right[i]) = (0, 0) }
            } else {
                left.removeSubrange(start..<(start + 2 * length))
                right.removeSubrange(start..<(start + 2 * length))
                left += [Float](repeating: 0, count: 2 * length)
                right += [Float](repeating: 0, count: 2 * length)
            }
        }
        #expect(found.contains { $0.name == "dropout" }, "\(found)")
    }

    @Test("a head that turned by 2° is named, by its tracker and by its sound", arguments: UInt64(201)...220)
    func headMoved(seed: UInt64) throws {
        var simulated = SimulatedTake.all(seed: seed)
        simulated.turn = seed % 2 == 0 ? 2 : -2
        let heard = try faults(simulated)
        #expect(heard.contains { $0.name == "head-moved" }, "\(heard)")
        let looks = HeadLooks([.init(yaw: 0, pitch: 0), .init(yaw: Double(simulated.turn), pitch: 0.1)])
        let told = try faults(.all(seed: seed), looks: looks)
        #expect(told.map(\.name) == ["head-moved"], "\(told)")
    }
}
