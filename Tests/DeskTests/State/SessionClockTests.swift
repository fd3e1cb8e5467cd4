import Desk
import Synchronization
import Testing
import Waiting

/// The beat of the host's clock: runs may ask for long rests, which are cut short when asked.
@Suite struct SessionClockTests {
    @Test func aLongRestIsCutShortAndTheNextIsAsShortAsAsked() async {
        let count = Atomic<Int>(0)
        // The first two runs ask for hours of rest, the others for 10 ms.
        let beat = HostClock().beat(every: 0.01) {
            count.wrappingAdd(1, ordering: .relaxed).newValue <= 2 ? 1_000_000 : 1
        }
        #expect(await comes { count.load(ordering: .relaxed) == 2 })
        beat.hurry()
        #expect(await comes { count.load(ordering: .relaxed) >= 6 })
        beat.cancel()
    }
}
