import Desk
import OSC
import Testing

@testable import Control

/// OSC messages of takes, calibration and control surfaces give the right commands.
@Suite struct CommandMessagesTests {
    @Test func takesAreRecordedByMessages() {
        let commands: [SessionCommand.Recording] = [
            .start(file: nil), .start(file: "/takes/a b.wav"), .stop, .turn(on: nil), .turn(on: true), .turn(on: false),
            .marker(name: nil), .marker(name: "zweite Strophe"),
        ]
        for command in commands {
            let message = ControlMessages.message(for: .record(command))
            #expect((try? ControlMessages.command(from: message).get()) == .record(command))
        }
        let root = "/proscenium/record"
        for (message, meant) in [
            (OSCMessage(root, [.int32(1)]), SessionCommand.Recording.turn(on: true)),
            (OSCMessage(root, [.float(0)]), .turn(on: false)), (OSCMessage(root), .turn(on: nil)),
            (OSCMessage(root + "/marker", [.string(" a\n b ")]), .marker(name: "a b")),
        ] {
            #expect((try? ControlMessages.command(from: message).get()) == .record(meant))
        }
        for message in [
            OSCMessage(root, [.string("maybe")]), OSCMessage(root + "/start", [.string("")]),
            OSCMessage(root + "/start", [.int32(3)]), OSCMessage(root + "/marker", [.string(" ")]),
            OSCMessage(root + "/marker", [.string(String(repeating: "x", count: 251))]),
        ] {
            #expect((try? ControlMessages.command(from: message).get()) == nil)
        }
    }

    @Test func trackersAreCalibratedByMessages() {
        for command in [
            SessionCommand.Calibration.start(.head, seconds: 4), .start(.device, seconds: 0.5), .step, .accept, .cancel,
        ] {
            let message = ControlMessages.message(for: .calibration(command))
            #expect((try? ControlMessages.command(from: message).get()) == .calibration(command))
        }
        let start = "/proscenium/calibrate/start"
        #expect(
            (try? ControlMessages.command(from: OSCMessage(start)).get()) == .calibration(.start(.head, seconds: 4)))
        for arguments in [
            [.string("foot")], [.int32(3)], [.string("head"), .double(0.1)], [.string("head"), .double(.nan)],
            [.string("head"), .double(61)], [.string("head"), .double(4), .double(4)],
        ] as [[OSCArgument]] {
            #expect((try? ControlMessages.command(from: OSCMessage(start, arguments)).get()) == nil)
        }
    }

    @Test func surfacesLearnByMessages() {
        for command in [SessionCommand.Surface.learn("input/main/level"), .cancel] {
            let message = ControlMessages.message(for: .surface(command))
            #expect((try? ControlMessages.command(from: message).get()) == .surface(command))
        }
        let whole = OSCMessage("/proscenium/surface/learn", [.string("/proscenium/level")])
        #expect((try? ControlMessages.command(from: whole).get()) == .surface(.learn("level")))
        for arguments in [[], [.string("")], [.int32(3)], [.string("a"), .string("b")]] as [[OSCArgument]] {
            let message = OSCMessage("/proscenium/surface/learn", arguments)
            #expect((try? ControlMessages.command(from: message).get()) == nil)
        }
    }
}
