import CDevices
import OSC
import Testing

@testable import Control

@Suite struct WatchersTests {
    @Test(arguments: [1e-30, 1e-37, 0.04, 101, -1, .infinity, .nan])
    func aRateOfWatchingThatIsNoneIsRefused(_ rate: Double) {
        for argument in [OSCArgument.double(rate), .float(Float(rate))] {
            #expect(Watchers.rate(in: OSCMessage("/proscenium/watch", [argument])) == nil)
        }
    }

    @Test func theSlowestWatcherIsTakenOn() throws {
        let watchers = Watchers()
        let sender = ControlSender(.init())
        let now = ContinuousClock.now
        #expect(watchers.set(sender, rate: Watchers.rates.lowerBound, at: now))
        #expect(watchers.due(at: now) == [sender])
        #expect(watchers.due(at: now) == [])
        #expect(watchers.sleep(until: now) == 20)
        #expect(watchers.all(at: now + Watchers.patience).isEmpty)
    }
}
