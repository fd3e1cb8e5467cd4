import Testing

@testable import AudioIO

@Suite struct CycleClockTests {
    @Test func whatTheServerSkipsIsCounted() {
        var clock = CycleClock()
        #expect(!clock.begin(at: 1000, frames: 256) && clock.skipped == 0)
        #expect(!clock.begin(at: 1256, frames: 256) && clock.skipped == 0)
        #expect(clock.begin(at: 1512 + 512, frames: 256) && clock.skipped == 512)
        #expect(!clock.begin(at: 2280, frames: 256) && clock.skipped == 0)
    }

    @Test func aChangeOfThePeriodIsAGapButNothingSkipped() {
        var clock = CycleClock()
        _ = clock.begin(at: 0, frames: 64)
        #expect(clock.begin(at: 64 + 4800, frames: 512) && clock.skipped == 0)
        #expect(clock.begin(at: 64 + 4800 + 1024, frames: 512) && clock.skipped == 512)
    }

    @Test func theClockWraps() {
        var clock = CycleClock()
        _ = clock.begin(at: .max - 63, frames: 64)
        #expect(clock.begin(at: 0, frames: 64) == false)
        // A clock that is set back skips no frames.
        #expect(clock.begin(at: 0, frames: 64) && clock.skipped == 0)
    }
}
