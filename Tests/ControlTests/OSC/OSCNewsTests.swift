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

    @Test func `Pose and meters are messages of floats in a fixed order`() {
        var (news, sample) = (Subscription.News(), SessionTelemetry())
        (sample.yaw, sample.pitch, sample.roll) = (30, -5, 2)
        (sample.inputs, sample.ears, sample.reduction) = ([-10, -20, -30], [-1, -2], -0.5)
        (sample.momentary, sample.shortTerm, sample.load) = (-23, -24, 0.25)
        sample.talkers = [TalkerStatus(azimuth: 30, elevation: 5, presence: 1)]
        news.pose = sample
        let pose = OSCMessage("/proscenium/pose", [30, -5, 2].map { .float($0) })
        #expect(OSCNews.packets(news) == [.message(pose)])
        news.meters = sample
        let meters: [(name: String, values: [Float])] = [
            ("ears", [-1, -2]), ("inputs", [-10, -20, -30]), ("reduction", [-0.5]), ("loudness", [-23, -24]),
            ("load", [0.25]), ("talkers", [30, 5, 1]),
        ]
        let messages = meters.map { OSCMessage("/proscenium/meters/" + $0.name, $0.values.map { .float($0) }) }
        #expect(OSCNews.packets(news).flatMap(\.messages) == [pose] + messages)
    }

    @Test func `Counts, truth values and words have OSC types of their own`() {
        var sample = SessionTelemetry()
        (sample.hasClipped, sample.mode, sample.xruns) = (true, "held", 3)
        let fields = TelemetryField.byName.filter { ["hasClipped", "mode", "xruns"].contains($0.name) }
        #expect(OSCNews.arguments(of: fields, in: sample) == [.boolean(true), .string("held"), .int64(3)])
    }
}
