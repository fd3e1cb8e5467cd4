import Glibc
import Testing

@testable import Sweeps

@Suite("Takes in recordings")
struct AlignmentTests {
    static let plan = RecoveryTests.plan(["FL", "FR"])

    /// Returns the recording of a recorder that starts `begin` frames before the sound.
    private static func recorded(_ begin: Int, seed: UInt64 = 5) -> (left: [Float], right: [Float]) {
        let (left, right) = SimulatedTake.all(seed: seed).recorded(plan, .studio)
        let lead = [Float](repeating: 0, count: max(0, begin))
        let rest = [Float](repeating: 0, count: 90_000)
        return (lead + left.dropFirst(max(0, -begin)) + rest, lead + right.dropFirst(max(0, -begin)) + rest)
    }

    @Test("a take is found wherever its recorder began", arguments: [-12_000, 0, 4321, 200_000])
    func found(begin: Int) throws {
        let (left, right) = Self.recorded(begin)
        let (a, b) = try Self.plan.aligned(left, right)
        #expect(a.count == b.count && a.count < Self.plan.frames + 48_000)
        let capsules = SimulatedTake.all(seed: 5)
        let take = try MeasuredTake(
            Self.plan, left: a, right: b, microphones: [capsules.calibration(0), capsules.calibration(1)])
        #expect(take.faults.isEmpty, "\(take.faults)")
        let truth = SimulatedPerson.studio.responses("FL")
        let found = Recovery(take.responses[0], truth, latency: take.responses[0].origin - Self.origin(truth))
        #expect(found.interauralError < 5e-6)
    }

    /// Frames from the beginning of a measured response to that of the true one, by their onsets.
    private static func origin(_ truth: [[Double]]) -> Int {
        let onset = truth.map { InterauralTime.onset(of: $0) }.min() ?? 0
        return Int(DeconvolvedTake.lead * 48_000) - onset
    }

    @Test("other recordings are refused")
    func refused() throws {
        let (left, right) = Self.recorded(0)
        for (what, a, b) in [
            ("cut off", Array(left[..<150_000]), Array(right[..<150_000])),
            ("late", Array(left[30_000...]), Array(right[30_000...])),
            ("silent", [Float](repeating: 0, count: left.count), [Float](repeating: 0, count: left.count)),
            ("empty", [], []), ("unequal", left, Array(right.dropLast())),
        ] {
            #expect(throws: SweepError.self, "\(what)") { try Self.plan.aligned(a, b) }
        }
        let other = RecoveryTests.plan(["FL", "FR", "FC"])
        #expect(throws: SweepError.self) { try other.aligned(left, right) }
    }

    @Test("the time between two looks is found within 30 µs", arguments: [-30, 30])
    func looks(yaw: Int) throws {
        let person = SimulatedPerson.studio
        let takes = try [0, yaw].map { yaw in
            var simulated = SimulatedTake()
            simulated.latency = yaw == 0 ? 0 : 777
            let plan = Self.plan
            let signals = plan.signals().map { $0.map(Double.init) }
            var ears = [[Double]](repeating: [Double](repeating: 0, count: plan.frames), count: 2)
            for (signal, part) in zip(signals, plan.parts) {
                let responses = person.responses(part.loudspeaker, yawDegrees: yaw)
                for ear in 0..<2 {
                    for (i, sample) in Convolved.rows(signal, responses[ear]).enumerated()
                    where i + simulated.latency < plan.frames {
                        ears[ear][i + simulated.latency] += sample
                    }
                }
            }
            return try MeasuredTake(plan, left: ears[0].map(Float.init), right: ears[1].map(Float.init))
        }
        let delay = try #require(LookAlignment.delay(of: takes[1].responses, after: takes[0].responses))
        #expect(abs(delay - 777) < 30e-6 * 48_000, "\(delay)")
        #expect(LookAlignment.delay(of: [], after: takes[0].responses) == nil)
    }
}
