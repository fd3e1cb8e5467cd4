import Glibc
import Testing

@testable import AudioIO

/// The watchdog of JACK's cycles without a server; the test sets the time.
@Suite struct JACKHeartTests {
    @Test func `A heart that beats is alive, and one that rests in freewheel`() {
        var heart = JACKHeart(name: "none", now: 0)
        for second in 1..<100 {
            let death = heart.beat(
                cycles: second / 50, isFreewheeling: second > 10, patience: 11, now: Double(second))
            #expect(death == nil)
        }
    }

    @Test func `A heart that stands still is dead as soon as the server has been asked, and not before`() {
        var heart = JACKHeart(name: "proscenium-heart-test", now: 0)
        #expect(heart.beat(cycles: 1, isFreewheeling: false, patience: 1, now: 0) == nil)
        #expect(heart.beat(cycles: 1, isFreewheeling: false, patience: 1, now: 0.9) == nil)
        // The first beat after the patience is over asks the server. The answer depends on whether this machine has a
        // server.
        #expect(heart.beat(cycles: 1, isFreewheeling: false, patience: 1, now: 2) == nil)
        var death: String?
        let until = ContinuousClock.now + .seconds(60)
        var now = 2.0
        while death == nil, ContinuousClock.now < until {
            now += 0.01
            death = heart.beat(cycles: 1, isFreewheeling: false, patience: 1, now: now)
            usleep(10_000)
        }
        #expect(death?.hasPrefix("no cycle for ") == true)
    }
}
