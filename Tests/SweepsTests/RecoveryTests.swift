import Geometry
import Glibc
import HRTF
import Signal
import Testing

@testable import Sweeps

/// Comparison of a measured response with the true one.
struct Recovery {
    /// Energy of the difference relative to the true response, dB.
    let error: Double
    /// Largest deviation of the level in sixths of an octave from 80 Hz to 16 kHz, dB.
    let deviation: Double
    /// Difference of the time between the ears, seconds.
    let interauralError: Double

    init(_ measured: LoudspeakerResponse, _ truth: [[Double]], latency: Int) {
        let count = 1 << 17
        let truth = truth.map { Recovery.inBand($0 + [Double](repeating: 0, count: count - $0.count)) }
        let placed = measured.placed(from: latency, count: count).map { $0.map(Double.init) }
        let (sum, rest) = (0..<2).reduce(into: (0.0, 0.0)) { sums, ear in
            sums.0 += Recovery.energy(truth[ear])
            sums.1 += Recovery.energy(zip(placed[ear], truth[ear]).map { $0 - $1 })
        }
        error = 10 * log10(rest / sum)
        deviation =
            (0..<2).flatMap { ear in
                zip(Recovery.sixths(placed[ear]), Recovery.sixths(truth[ear])).map { abs($0 - $1) }
            }.max() ?? 0
        let delays = [placed, truth].map { InterauralTime.delay($0, sampleRate: measured.sampleRate).seconds }
        interauralError = abs(delays[0] - delays[1])
    }

    /// Returns a response as the sweep's lower edge passes it: two second-order sections at the corner of its band.
    private static func inBand(_ row: [Double]) -> [Double] {
        let k: Double = tan(.pi * RecoveryTests.sweep.band.lowerBound / 48_000)
        var row = row
        for quality in [0.5411961, 1.3065630] {
            let norm: Double = 1 / (1 + k / quality + k * k)
            let a1: Double = 2 * (k * k - 1) * norm
            let a2: Double = (1 - k / quality + k * k) * norm
            var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
            for i in row.indices {
                let x: Double = row[i]
                var y: Double = norm * (x - 2 * x1 + x2)
                y -= a1 * y1 + a2 * y2
                (x1, x2, y1, y2) = (x, x1, y, y1)
                row[i] = y
            }
        }
        return row
    }

    /// Returns the energy up to 22 kHz, the upper end of the sweep's band.
    private static func energy(_ row: [Double]) -> Double {
        let transform = FourierTransform(minimumCount: row.count)
        var real = row
        var imaginary = [Double](repeating: 0, count: row.count)
        transform.forward(&real, &imaginary)
        let last = Int(22_000.0 / 48_000 * Double(row.count))
        var sum = 0.0
        for bin in 0...last { sum += real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }
        return sum
    }

    /// Returns the levels of a response in sixths of an octave from 80 Hz to 16 kHz, dB.
    static func sixths(_ row: [Double]) -> [Double] {
        let transform = FourierTransform(minimumCount: max(1 << 17, row.count))
        var real = row + [Double](repeating: 0, count: transform.count - row.count)
        var imaginary = [Double](repeating: 0, count: transform.count)
        transform.forward(&real, &imaginary)
        let step = 48_000 / Double(transform.count)
        return (0...45).map { place in
            let centre = 80 * pow(2, Double(place) / 6)
            let bins = Int(centre / pow(2, 1.0 / 12) / step)...Int(centre * pow(2, 1.0 / 12) / step)
            let power = bins.reduce(0.0) { $0 + real[$1] * real[$1] + imaginary[$1] * imaginary[$1] }
            return 10 * log10(power / Double(bins.count))
        }
    }
}

@Suite("Responses from sweeps")
struct RecoveryTests {
    static let sweep = try! ExponentialSweep(seconds: 3, sampleRate: .studio, amplitude: 0.5)

    /// Returns the plan of a take with sweeps of these loudspeakers, overlapped.
    static func plan(_ names: [String], response: Double = 0.5, sweep: ExponentialSweep = sweep) -> TakePlan {
        TakePlan(
            sweep: sweep, loudspeakers: names, response: response,
            spacing: SweepSpacing.least(sweep, response: response, harmonic: 0.2, count: names.count))
    }

    @Test("without noise the responses are the true ones within −50 dB, alone and overlapped")
    func clean() throws {
        for names in [["FL"], ["FL", "FR", "FC", "SL", "SR"]] {
            let plan = Self.plan(names)
            let (left, right) = SimulatedTake().recorded(plan, .studio)
            let take = try MeasuredTake(plan, left: left, right: right)
            #expect(take.faults.isEmpty, "\(take.faults)")
            for response in take.responses {
                let found = Recovery(response, SimulatedPerson.studio.responses(response.loudspeaker), latency: 0)
                #expect(found.error < -50, "\(response.loudspeaker): \(found)")
            }
        }
    }

    @Test(
        "loudspeakers nearer than the others keep their direct sound",
        arguments: [[0, 0, 0, 300], [0, 150, 300, 450], [450, 300, 150, 0], [0, 0, 0, 0]])
    func near(earlier: [Int]) throws {
        let usual = Self.plan(["FL", "FR", "FC", "SL"])
        func plan(_ earlier: [Int]) -> TakePlan {
            let parts = zip(usual.parts, earlier).map {
                TakePlan.Part(loudspeaker: $0.loudspeaker, start: $0.start - $1)
            }
            return TakePlan(sweep: usual.sweep, parts: parts, response: usual.response, frames: usual.frames)
        }
        // The latency differs in all cases, because recordings are cached by it.
        let simulated = SimulatedTake(latency: 1000 + 2 * earlier[0] + earlier[3])
        let (left, right) = simulated.recorded(plan(earlier), .studio)
        let take = try MeasuredTake(plan([0, 0, 0, 0]), left: left, right: right)
        #expect(take.faults.isEmpty, "\(take.faults)")
        for (response, earlier) in zip(take.responses, earlier) {
            let found = Recovery(
                response, SimulatedPerson.studio.responses(response.loudspeaker),
                latency: simulated.latency - earlier)
            #expect(found.error < -50, "\(response.loudspeaker): \(found)")
        }
    }

    @Test("noise, drift, distortion and unlike capsules leave 0.5 dB and 5 µs at most", arguments: UInt64(301)...303)
    func faulty(seed: UInt64) throws {
        let plan = Self.plan(["FL", "FR", "FC", "SL", "SR"])
        let simulated = SimulatedTake.all(seed: seed)
        let (left, right) = simulated.recorded(plan, .studio)
        let take = try MeasuredTake(
            plan, left: left, right: right, microphones: [simulated.calibration(0), simulated.calibration(1)])
        #expect(take.faults.isEmpty, "\(take.faults)")
        #expect(abs((take.drift ?? 0) - 50) < 0.5)
        for response in take.responses {
            let truth = SimulatedPerson.studio.responses(response.loudspeaker)
            let found = Recovery(response, truth, latency: simulated.latency)
            #expect(found.deviation < 0.5, "\(response.loudspeaker): \(found)")
            #expect(found.interauralError < 5e-6, "\(response.loudspeaker): \(found)")
        }
    }
}
