import Desk
import OSC
import Stages
import Testing

@testable import Control

@Suite struct PlaybackMessagesTests {
    @Test(arguments: [
        SessionCommand.Playback.resume, .beginInterruption(name: "call", .pause, lease: nil),
        .beginInterruption(name: "call", .duck(-12.5), lease: 10), .beginInterruption(name: "call", .pause, lease: 0.5),
        .endInterruption(name: "call", resumes: true), .endInterruption(name: "call", resumes: false),
    ])
    func everyCommandSurvivesTheWire(_ command: SessionCommand.Playback) throws {
        let bytes = OSCPacket.message(ControlMessages.message(for: .playback(command))).encoded()
        let message = try #require(try OSCPacket(decoding: bytes).messages.first)
        #expect(try ControlMessages.command(from: message).get() == .playback(command))
    }

    @Test func whatIsNoCommandIsAnsweredWithTheReason() {
        let begin = "/proscenium/interrupt/begin"
        for message in [
            OSCMessage(begin), OSCMessage(begin, [.string("call")]),
            OSCMessage(begin, [.string("call"), .string("duck")]),
            OSCMessage(begin, [.string("call"), .string("duck"), .float(3)]),
            OSCMessage(begin, [.string("call"), .string("duck"), .float(.nan)]),
            OSCMessage(begin, [.string("call"), .string("pause"), .float(0)]),
            OSCMessage(begin, [.string("call"), .string("pause"), .float(1), .float(1)]),
            OSCMessage(begin, [.string(""), .string("pause")]),
            OSCMessage("/proscenium/interrupt/end"),
            OSCMessage("/proscenium/interrupt/end", [.string("call"), .string("perhaps")]),
        ] {
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: message).get() }
        }
    }

    private static let events: [(event: SessionEvent, kind: String, json: String)] = [
        (.routeLost(["a:b/c"]), "route-lost", #"{"ports":["a:b/c"]}"#), (.routeHeld, "route-held", "{}"),
        (.routeResumed([]), "route-resumed", #"{"ports":[]}"#),
        (.interruptionBegan(name: "n", effect: .pause), "interruption-began", #"{"effect":"pause","name":"n"}"#),
        (.interruptionEnded(name: "n", resumes: true), "interruption-ended", #"{"name":"n","resumes":true}"#),
        (.renditionChanged(input: "i", rendition: "stereo"), "rendition", #"{"input":"i","rendition":"stereo"}"#),
        (
            .spatializationChanged(input: "i", isSpatializing: false), "spatialization",
            #"{"input":"i","isSpatializing":false}"#
        ),
        (.levelChanged(input: "i", level: -3.5), "level", #"{"input":"i","level":-3.5}"#),
        (.levelChanged(input: "i", level: -3), "level", #"{"input":"i","level":-3}"#),
        (.recordingEnded(file: "/f", reason: "r"), "recording-ended", #"{"file":"/f","reason":"r"}"#),
    ]

    @Test(arguments: events)
    func whatHappensIsToldByItsKindAndJSON(_ event: SessionEvent, _ kind: String, _ json: String) {
        #expect(
            ControlMessages.message(for: event) == OSCMessage("/proscenium/event", [.string(kind), .string(json)]))
    }
}
