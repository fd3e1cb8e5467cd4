import Glibc
import SeededRandom
import Signal
import Testing

@testable import Sweeps

@Suite("Sweeps in a recording that began at any time")
struct FoundSweepsTests {
    static let sweep = try! ExponentialSweep(seconds: 1, sampleRate: .studio, amplitude: 0.5)
    private static let spacing = 96_000

    /// Returns a recording of `count` sweeps, of which the first begins at a frame, with soft noise.
    private func recording(_ count: Int, from start: Int) -> [Float] {
        var random = SplitMix(state: 5)
        let length = max(0, start) + count * Self.spacing + 48_000
        var row = (0..<length).map { _ in Float(1e-4 * random.normal()) }
        for place in 0..<count {
            for (i, sample) in Self.sweep.samples.enumerated() where start + place * Self.spacing + i >= 0 {
                row[start + place * Self.spacing + i] += Float(place + 1) * 0.2 * sample
            }
        }
        return row
    }

    @Test("a sweep is found at any time", arguments: [30_000, 100_000, 400_000])
    func one(start: Int) throws {
        let row = recording(1, from: start)
        let found = try FoundSweeps(
            Self.sweep, loudspeakers: ["FL"], spacing: Self.spacing, response: 0.5, in: row, row)
        let take = try MeasuredTake(found.plan, left: found.left, right: found.right)
        #expect(take.faults.isEmpty && take.responses.map(\.loudspeaker) == ["FL"], "\(take.faults)")
        #expect(found.plan.parts[0].start <= 24_000)
    }

    @Test("of several sweeps the first one is found, also if it is the faintest or left out")
    func several() throws {
        let row = recording(3, from: 60_000)
        let cases: [[String?]] = [["FL", "FR", "FC"], [nil, "FR", "FC"]]
        for names in cases {
            let found = try FoundSweeps(
                Self.sweep, loudspeakers: names, spacing: Self.spacing, response: 0.5, in: row, row)
            let take = try MeasuredTake(found.plan, left: found.left, right: found.right)
            #expect(take.faults.isEmpty, "\(take.faults)")
            let peaks = take.responses.map { $0.ears[0].map(abs).max() ?? 0 }
            // The sweeps have 1/3, 2/3 and 3/3 of the level of the last.
            let expected = names.indices.filter { names[$0] != nil }.map { Double($0 + 1) / 3 }
            let last = try #require(peaks.last)
            #expect(zip(peaks, expected).allSatisfy { abs($0 / last - $1) < 0.03 }, "\(peaks)")
        }
    }

    @Test("a recording without the sweep, or one that begins with it, is refused")
    func refused() throws {
        var random = SplitMix(state: 9)
        let noise = (0..<200_000).map { _ in Float(0.1 * random.normal()) }
        let cases: [(row: [Float], words: String)] = [
            (noise, "not in the recording"), (recording(1, from: 4800), "half a second before"), ([], "cut off"),
        ]
        for (row, words) in cases {
            #expect {
                try FoundSweeps(
                    Self.sweep, loudspeakers: ["FL"], spacing: Self.spacing, response: 0.5, in: row, row)
            } throws: {
                "\($0)".contains(words)
            }
        }
    }
}
