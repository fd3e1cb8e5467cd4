import Testing

@testable import Measurement

struct WokenStageTests {
    @Test func aPeriodIsMissedThatIsReadyAfterItsEnd() {
        // 64 frames at 48 kHz last 1 333 333 ns.
        let stage = woken(ready: [1_333_333, 1_333_334, 2_000_000, 10])
        #expect(stage.missed == 2)
        #expect(!stage.holds)
        #expect(abs(stage.ready.max - 1.5) < 1e-6)
    }

    @Test func oneMissOfAThousandHolds() {
        #expect(woken(ready: Array(repeating: 1000, count: 999) + [2_000_000]).holds)
        #expect(woken(ready: Array(repeating: 1000, count: 10) + [2_000_000]).holds)
        #expect(!woken(ready: Array(repeating: 1000, count: 1997) + [2_000_000, 2_000_000]).holds)
        #expect(woken(ready: Array(repeating: 1000, count: 1998) + [2_000_000, 2_000_000]).holds)
    }

    private func woken(ready: [Int32]) -> WokenStage {
        WokenStage(stage: "mono", setting: .init(64, 64), sampleRate: 48_000, late: ready.map { $0 / 2 }, ready: ready)
    }
}
