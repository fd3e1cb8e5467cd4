import Testing

@testable import AudioIO

/// Times of the state messages to a client that has newly connected to a MIDI output.
@Suite struct ListenerWatchTests {
    /// Returns whether a message is due, for each triple of: whether a client came, the cycle, the seconds.
    private static func told(_ times: [(Bool, Int, Double)]) -> [Bool] {
        var watch = ListenerWatch()
        return times.map { watch.isTime($0.0, cycle: $0.1, at: $0.2) }
    }

    @Test func aFewCyclesAfterItCame() {
        let once = Self.told([(false, 10, 0), (true, 10, 0), (false, 12, 0.1), (false, 13, 0.1), (false, 14, 0.2)])
        #expect(once == [false, false, false, true, false])
        // A second client comes while one waits: both are due at once, when the later one can receive.
        let both = Self.told([(true, 20, 0), (true, 22, 0), (false, 24, 0), (false, 25, 0), (false, 26, 0.1)])
        #expect(both == [false, false, false, true, false])
    }

    @Test func againForADeviceThatWasLate() {
        let told = Self.told(
            [
                (true, 0, 0), (false, 3, 0.01), (false, 9, 0.4), (false, 9, 0.5), (false, 99, 1.9), (false, 99, 2.1),
                (false, 99, 1000),
            ])
        #expect(told == [false, true, false, true, false, true, false])
    }
}
