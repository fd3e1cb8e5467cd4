import Desk
import HeadTracking
import OSC
import Stages
import Testing

@testable import Control

@Suite struct ControlMessagesTests {
    @Test(arguments: [
        SessionCommand.recentre(.yaw), .recentre(.full), .recentre(.reset), .start(frame: nil),
        .start(frame: 4_000_000_000), .status, .loudness(reset: false), .loudness(reset: true),
        .preview(.go(to: 90.5)), .preview(.seek(by: -5)), .preview(.pause(nil)), .preview(.pause(true)),
        .preview(.pause(false)), .preview(.skip(-2)), .preview(.loop(nil)), .preview(.loop(true)),
        .preview(.gain(by: -1)), .playback(.resume),
        .playback(.beginInterruption(name: "a", .duck(-12), lease: 10)),
        .playback(.endInterruption(name: "a", resumes: false)),
        .quit,
    ])
    func everyCommandSurvivesTheWire(_ command: SessionCommand) throws {
        #expect(try Self.overTheWire(command) == command)
    }

    /// Encodes a command as an OSC message, and returns the command decoded from it.
    private static func overTheWire(_ command: SessionCommand) throws -> SessionCommand {
        let bytes = OSCPacket.message(ControlMessages.message(for: command)).encoded()
        let message = try #require(try OSCPacket(decoding: bytes).messages.first)
        return try ControlMessages.command(from: message).get()
    }

    @Test(arguments: Parameter.all)
    func everyParameterSurvivesTheWire(_ parameter: Parameter) throws {
        var values = parameter.words.map { ParameterValue.word($0) }
        if parameter.text != nil { values.append(.word("/sets/of mine/one.sofa")) }
        if !parameter.numbers.isEmpty {
            values += [
                .numbers(parameter.numbers.map(\.range.lowerBound)),
                .numbers(parameter.numbers.map(\.range.upperBound)),
            ]
        }
        for value in values {
            for input in parameter.isOfInputs || parameter.isOfLoudspeakers ? [nil, "choir"] : [nil] {
                let command = SessionCommand.set(ParameterChange(parameter, value, input: input))
                #expect(try Self.overTheWire(command) == command)
            }
        }
        for numbers in [parameter.numbers.map { $0.range.upperBound + 1 }, parameter.numbers.map { _ in .nan }]
        where !numbers.isEmpty {
            let message = OSCMessage("/proscenium/" + parameter.id, numbers.map { .double($0) })
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: message).get() }
        }
        for nonsense in [[], [OSCArgument.string(parameter.text == nil ? "nonsense" : "\u{7}")], [.null], [.blob([1])]]
        {
            let message = OSCMessage("/proscenium/" + parameter.id, nonsense)
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: message).get() }
        }
    }

    @Test func aLoudspeakerHasAnAddressOfItsOwn() throws {
        let message = OSCMessage("/proscenium/loudspeaker/TFL/solo", [.int32(1)])
        let change = try ParameterChange("loudspeaker-solo", ["on"], input: "TFL")
        #expect(try ControlMessages.command(from: message).get() == .set(change))
        #expect(ControlMessages.message(for: .set(change)).address == "/proscenium/loudspeaker/TFL/solo")
        let noise = OSCMessage("/proscenium/loudspeaker/FC/test-noise", [.string("on")])
        #expect(
            try ControlMessages.command(from: noise).get()
                == .set(try ParameterChange("test-noise", ["on"], input: "FC")))
        for address in ["loudspeaker/FL/level", "loudspeaker//mute", "loudspeaker/FL", "loudspeaker/FL/dim"] {
            let unknown = OSCMessage("/proscenium/" + address, [.string("on")])
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: unknown).get() }
        }
    }

    @Test func aFormerNameIsTakenWithAHint() throws {
        let message = OSCMessage("/proscenium/input/choir/width", [.float(30)])
        let command = try ControlMessages.command(from: message).get()
        #expect(command == .set(try ParameterChange("source-width", ["30"], input: "choir")))
        let answer = ControlMessages.message(for: .done, to: message.address)
        #expect(answer.arguments.last == .string("done; 'width' is now called 'source-width'"))
    }

    @Test func switchesAreTakenAsNumbersAndTruthValuesToo() throws {
        for (argument, word) in [(OSCArgument.int32(1), "on"), (.float(0), "off"), (.boolean(true), "on")] {
            let message = OSCMessage("/proscenium/room", [argument])
            #expect(try ControlMessages.command(from: message).get() == .set(ParameterChange(.room, .word(word))))
        }
    }

    @Test func whatIsNoCommandIsAnsweredWithTheReason() throws {
        for message in [
            OSCMessage("/proscenium/dance"), OSCMessage("/proscenium/room", [.string("maybe")]),
            OSCMessage("/proscenium/recentre", [.string("upwards")]),
            OSCMessage("/proscenium/start", [.float(2)]), OSCMessage("/proscenium/reference", [.string("moon")]),
            OSCMessage("/proscenium/follow", [.float(1), .float(2), .float(0)]),
            OSCMessage("/proscenium/follow", [.float(1)]), OSCMessage("/proscenium/yaw-pull", [.float(.nan)]),
            OSCMessage("/proscenium/seek", [.float(-1)]), OSCMessage("/proscenium/seek"),
            OSCMessage("/proscenium/skip", [.int32(0)]), OSCMessage("/proscenium/pause", [.string("maybe")]),
            OSCMessage("/proscenium/loop", [.int32(2)]), OSCMessage("/proscenium/gain-by", [.float(.nan)]),
            OSCMessage("/proscenium/width", [.float(181)]), OSCMessage("/proscenium/input/a/width"),
            OSCMessage("/proscenium/input/a/room", [.string("on")]),
            OSCMessage("/proscenium/input//level", [.float(0)]),
            OSCMessage("/proscenium"), OSCMessage("/"), OSCMessage("/proscenium/input/a/b/level", [.float(0)]),
        ] {
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: message).get() }
        }
    }
}
