import Foundation
import Testing

@testable import Measurement

@Suite struct LatencyRecordingTests {
    private static let rate = 48_000.0
    private static let playback = 0.004

    /// Seeded noise of one repetition, -1…1.
    private func noise(_ count: Int, seed: UInt64) -> [Float] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 23) - 1
        }
    }

    /// A stage that crossfades between two sounds: each change begins at a frame and takes a number of frames; frames
    /// are computed at `frame / rate`, and heard `playback` later.
    private func recording(
        changes: [(frame: Int, takes: Int)], steps: [LatencyRecording.Step], repetition: Int = 64,
        skip: (frame: Int, seconds: Double)? = nil, rate: Double = Self.rate
    ) -> LatencyRecording {
        let count = (changes.last?.frame ?? 0) + Int(0.625 * rate)
        var share = [Float](repeating: 0, count: count)
        for (number, change) in changes.enumerated() {
            for frame in change.frame..<count {
                let done = min(1, Float(frame - change.frame + 1) / Float(change.takes))
                share[frame] = number % 2 == 0 ? done : 1 - done
            }
        }
        let ears = (0..<2).map { ear in
            let (one, two) = (noise(repetition, seed: UInt64(ear)), noise(repetition, seed: UInt64(ear + 2)))
            return (0..<count).map { frame in
                let place = frame % repetition
                return 0.03 * (one[place] + share[frame] * (two[place] - one[place]))
            }
        }
        let marks = stride(from: 0, to: count, by: 64).map { frame in
            let late = skip.map { frame >= $0.frame ? $0.seconds : 0 } ?? 0
            return LatencyRecording.Mark(frame: frame, heardAt: Double(frame) / rate + late + Self.playback)
        }
        return LatencyRecording(
            ears: ears, sampleRate: rate, marks: marks, playback: Self.playback, period: 64 / rate,
            steps: steps, repetition: repetition)
    }

    @Test(arguments: [64, 125, 128])
    func knownDelaysAreFoundInTheSamples(_ repetition: Int) throws {
        // Sent 1 ms before the cycle, received after 0.4 ms; half of a change over 480 frames is there after 240.
        let changes = [(30_000, 480), (54_000, 480), (78_000, 64)]
        let steps = changes.map {
            LatencyRecording.Step(sent: Double($0.0) / Self.rate - 0.001, arrived: Double($0.0) / Self.rate - 0.0006)
        }
        let delays = try recording(changes: changes, steps: steps, repetition: repetition).delays()
        try #require(delays.count == 3)
        for (delay, change) in zip(delays, changes) {
            #expect(abs(delay.transport - 0.0004) < 1e-9 && delay.playback == Self.playback && !delay.isDisturbed)
            // A slow change counts only after 2 % of it.
            #expect(
                delay.waiting - 0.0006 > -1e-9 && delay.waiting - 0.0006 < 0.03 * Double(change.1) / Self.rate + 1e-4)
            #expect(abs(delay.total - (0.001 + 0.5 * Double(change.1) / Self.rate + Self.playback)) < 32 / Self.rate)
            #expect(abs(delay.total - delay.transport - delay.waiting - delay.tracking - delay.playback) < 1e-12)
        }
    }

    @Test func stepsBesideSkippedPeriodsAreMarked() throws {
        let changes = [(30_000, 64), (54_000, 64)]
        let skipped = 0.01
        let steps = [
            LatencyRecording.Step(sent: 30_000 / Self.rate - 0.001, arrived: 30_000 / Self.rate - 0.001),
            LatencyRecording.Step(sent: 54_000 / Self.rate + skipped - 0.001, arrived: 54_000 / Self.rate + skipped),
        ]
        let delays = try recording(changes: changes, steps: steps, skip: (frame: 53_952, seconds: skipped)).delays()
        #expect(delays.map(\.isDisturbed) == [false, true])
    }

    @Test func stepsOfASenderThatWasHeldUpAreMarked() throws {
        let sent = 30_000 / Self.rate - 0.001
        let step = LatencyRecording.Step(sent: sent, arrived: sent, isSteady: false)
        #expect(try recording(changes: [(30_000, 64)], steps: [step]).delays().map(\.isDisturbed) == [true])
    }

    @Test func aSoundThatDoesNotChangeYieldsNoDelay() throws {
        let step = LatencyRecording.Step(sent: 0.7, arrived: 0.7)
        #expect(try recording(changes: [], steps: []).delays().isEmpty)
        var still = recording(changes: [(60_000, 64)], steps: [step])
        still.ears = still.ears.map { $0.map { _ in 0 } }
        #expect(try still.delays().isEmpty)
    }

    /// In freewheel the sound has no playback times.
    @Test func aRecordingWithoutTimesIsAnErrorInWords() {
        let step = LatencyRecording.Step(sent: 0.7, arrived: 0.7)
        var timeless = recording(changes: [(60_000, 64)], steps: [step])
        timeless.marks = []
        let error = #expect(throws: LatencyError.noTimes) { try timeless.delays() }
        #expect(error?.description.contains("freewheel") == true)
    }

    /// The half second after a step, and the twentieth of a second before it, are counted in frames of the actual rate.
    @Test func aSlowChangeIsSeenToItsEndAtAnyRate() throws {
        let rate = 96_000.0
        let sent = 60_000 / rate
        let slow = recording(
            changes: [(60_000, 40_000)], steps: [LatencyRecording.Step(sent: sent, arrived: sent)],
            skip: (frame: 55_000, seconds: 0.001), rate: rate)
        let delay = try #require(try slow.delays().first)
        #expect(abs(delay.tracking - 20_000 / rate) < 0.02 * 40_000 / rate)
        #expect(delay.isDisturbed)
    }

    /// The last step's sound may begin where too little is left to measure it by.
    @Test(arguments: [40, 32, 31, 2])
    func aChangeInTheLastFramesOfAStepIsPassedOver(_ framesLeft: Int) throws {
        let steps = [30_000, 54_000].map {
            LatencyRecording.Step(sent: Double($0) / Self.rate, arrived: Double($0) / Self.rate)
        }
        var late = recording(changes: [(54_000 - 960 - framesLeft, 1)], steps: steps)
        // The change is so loud that it counts at once, although the mean contains little of it.
        late.ears = late.ears.map { ear in
            ear.enumerated().map { $0 >= 54_000 - 960 - framesLeft && $0 < 54_000 - 960 ? 100 * $1 : $1 }
        }
        #expect(try late.delays().count <= 1)
    }

    @Test(arguments: [(64, 64), (256, 128), (1024, 128), (1000, 125), (441, 63), (16, 16), (1009, 128)])
    func theProgrammeRepeatsWholeTimesWithinAPeriod(_ period: Int, _ repetition: Int) {
        #expect(LatencyRecording.repetition(forPeriod: period) == repetition)
    }

    @Test func aReportStatesEachPartAndTheirSum() {
        let delays = (1...100).map {
            MotionDelay(transport: 1e-4, waiting: Double($0) * 1e-5, tracking: 2e-3, playback: 4e-3)
        }
        let report = LatencyReport(delays, sent: 101, sampleRate: 48_000, period: 64, slice: 64, skippedFrames: 0)
        #expect(report.found == 100 && abs(report.waiting.p50 - 0.5) < 1e-9 && abs(report.waiting.p99 - 0.99) < 1e-9)
        #expect(abs(report.total.p50 - 6.6) < 1e-9 && abs(report.software.max - 3.1) < 1e-9)
        #expect(report.lines.contains { $0.hasPrefix("total: motion to sound") })
    }
}
