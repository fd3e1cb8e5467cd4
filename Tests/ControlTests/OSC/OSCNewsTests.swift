import Desk
import OSC
import Testing

@testable import Control
@testable import Stages

/// Telemetry and state messages to OSC subscribers.
@Suite struct OSCNewsTests {
    @Test func talkersAreThreeNumbersEachAndOnlyWhereThereIsAMix() {
        var news = Subscription.News()
        var meters = SessionTelemetry()
        func told() -> [OSCMessage] {
            news.meters = meters
            return OSCNews.packets(news).flatMap(\.messages).filter { $0.address == "/proscenium/meters/talkers" }
        }
        #expect(told().isEmpty)
        meters.talkers = []
        #expect(told() == [OSCMessage("/proscenium/meters/talkers", [])])
        meters.talkers = [
            TalkerStatus(azimuth: 30, elevation: 5, presence: 1),
            TalkerStatus(azimuth: -90, elevation: 0, presence: 0.5),
        ]
        #expect(
            told() == [
                OSCMessage("/proscenium/meters/talkers", [30, 5, 1, -90, 0, 0.5].map { .float($0) })
            ])
    }
}
