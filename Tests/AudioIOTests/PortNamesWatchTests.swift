import Testing

@testable import AudioIO

/// Times at which the ports' metadata are set again.
@Suite struct PortNamesWatchTests {
    /// Returns whether metadata are due, for each triple of: whether a port changed, the seconds, whether the session
    /// manager accepts metadata.
    private static func due(_ times: [(Bool, Double, Bool)]) -> [Bool] {
        var watch = PortNamesWatch()
        return times.map { changed, now, accepts in watch.isTime(changed, at: now) { accepts } }
    }

    @Test func whenTheSessionManagerComesLater() {
        #expect(
            Self.due([(true, 0, false), (false, 0.5, false), (false, 1, true), (false, 1.5, true), (true, 2, true)])
                == [false, false, true, false, false])
    }

    @Test func whenItIsStartedAgain() {
        // A change of connections reveals its end at once, otherwise the next test after five seconds.
        #expect(
            Self.due([(true, 0, true), (true, 1, false), (false, 1.2, true), (true, 1.3, true)])
                == [true, false, true, false])
        #expect(
            Self.due([(true, 0, true), (false, 4, false), (false, 5, false), (false, 5.5, true), (false, 6, true)])
                == [true, false, false, true, false])
    }
}
