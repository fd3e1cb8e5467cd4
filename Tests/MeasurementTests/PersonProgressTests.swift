import Sweeps
import Testing

@testable import Measurement

@Suite("Progress of measuring a person")
struct PersonProgressTests {
    private static func progress(hasTracker: Bool = true) -> PersonProgress {
        PersonProgress(looks: [0, 30, -30], held: { $0 == -30 }, takeSeconds: 10, hasTracker: hasTracker)
    }

    /// Peaks of which the left one has this level, and the right one is 3 dB lower.
    private static func peaks(_ level: Double) -> EarPeaks { EarPeaks(left: level, right: level - 3) }

    @Test("phases and verdicts follow the events")
    func phases() {
        var progress = Self.progress()
        #expect(progress.phase == .waiting && progress.waitsForBegin && progress.isStoppable)
        #expect(progress.looks.map(\.verdict) == [.open, .open, .good])
        progress.take(.sounding(seconds: 2), at: 1)
        #expect(progress.phase == .level && progress.soundShare(at: 2) == 0.5 && !progress.waitsForBegin)
        progress.take(.tried(level: -40, peaks: Self.peaks(-20), margin: 52), at: 3)
        #expect(progress.level == -40 && progress.peaks == Self.peaks(-20) && progress.margin == 52)
        #expect(progress.soundShare(at: 3) == nil)
        progress.take(.asked(look: 0), at: 3)
        #expect(progress.phase == .turning && progress.wanted == 0 && !progress.waitsForBegin)
        progress.take(.sounding(seconds: 10), at: 5)
        #expect(progress.phase == .sweeping && progress.wanted == 0)
        progress.take(.judged(peaks: Self.peaks(-12), margin: 55), at: 15)
        progress.take(.refused([.headMoved(degrees: 2)]), at: 15)
        #expect(progress.phase == .judging && progress.wanted == nil && progress.peaks?.highest == -12)
        #expect(progress.looks[0].verdict == .refused && progress.looks[0].faults == [.headMoved(degrees: 2)])
        progress.take(.asked(look: 0), at: 16)
        progress.take(.sounding(seconds: 10), at: 18)
        progress.take(.judged(peaks: Self.peaks(-12), margin: 55), at: 28)
        progress.take(.kept(path: "look_0.wav", done: 2, of: 3), at: 28)
        #expect(progress.looks[0].verdict == .good && progress.looks[0].faults.isEmpty)
        progress.enter(.computing)
        #expect(progress.phase == .computing && progress.isStoppable)
        progress.enter(.done)
        #expect(!progress.isStoppable && progress.skippable == nil && progress.repeatable == nil)
    }

    @Test("what is repeated and left out depends on the phase")
    func requests() {
        var progress = Self.progress(hasTracker: false)
        #expect(progress.repeatable == nil && progress.skippable == nil)
        progress.take(.asked(look: 0), at: 0)
        // Without a tracker the person says when the head is there.
        #expect(progress.waitsForBegin && progress.repeatable == nil && progress.skippable == 0)
        progress.take(.sounding(seconds: 10), at: 1)
        #expect(progress.repeatable == 0 && progress.skippable == 0 && !progress.waitsForBegin)
        progress.take(.judged(peaks: Self.peaks(-12), margin: 55), at: 11)
        progress.take(.kept(path: "look_0.wav", done: 2, of: 3), at: 11)
        #expect(progress.repeatable == 0)
        progress.take(.asked(look: 30), at: 12)
        #expect(progress.repeatable == 0 && progress.skippable == 30)
        progress.take(.again(look: 0, name: "the look at 0°"), at: 13)
        #expect(progress.looks[0].verdict == .open)
        progress.take(.asked(look: 0), at: 13)
        // Its former take stays good.
        progress.take(.skipped(look: 0, name: "the look at 0°"), at: 14)
        progress.take(.asked(look: 30), at: 14)
        progress.take(.skipped(look: 30, name: "the look at 30°"), at: 15)
        #expect(progress.looks.map(\.verdict) == [.good, .skipped, .good])
    }

    @Test("the time left goes by the time that the person takes, and the share by the looks that are done")
    func time() {
        var progress = Self.progress()
        // Two looks of 6 s until the head is there, 10 s, and 1.5 s.
        #expect(progress.left(at: 0) == 35 && progress.share(at: 0) == 1.0 / 3)
        progress.take(.asked(look: 0), at: 0)
        #expect(progress.left(at: 4) == 31 && progress.left(at: 60) == 29)
        progress.take(.sounding(seconds: 10), at: 2)
        // From now on 2 s for each look.
        #expect(progress.left(at: 2) == 25 && progress.left(at: 7) == 20 && progress.left(at: 60) == 15)
        #expect(abs(progress.share(at: 7) - 0.5) < 1e-12)
        progress.take(.judged(peaks: Self.peaks(-12), margin: 55), at: 12)
        progress.take(.kept(path: "look_0.wav", done: 2, of: 3), at: 12)
        #expect(progress.left(at: 12) == 13.5 && abs(progress.share(at: 12) - 2.0 / 3) < 1e-12)
        progress.take(.asked(look: 30), at: 13)
        progress.take(.sounding(seconds: 10), at: 17)
        progress.take(.judged(peaks: Self.peaks(-12), margin: 55), at: 27)
        progress.take(.kept(path: "look_30.wav", done: 3, of: 3), at: 27)
        #expect(progress.left(at: 27) == 0 && progress.share(at: 27) == 1)
    }
}
