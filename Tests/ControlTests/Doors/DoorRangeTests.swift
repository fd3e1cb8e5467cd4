import Desk
import Foundation
import OSC
import Racks
import Synchronization
import Testing
import Waiting

@testable import Control

/// Numbers outside the range of a command: every door refuses them, none clamps them into the range.
@Suite(.timeLimit(.minutes(10))) struct DoorRangeTests {
    /// Commands with one number outside its range.
    private static let outside: [(address: String, arguments: [OSCArgument], json: String)] = [
        ("plugin/amp/move", [.int32(-1)], "[-1]"), ("plugin/amp/move", [.float(-5)], "[-5]"),
        ("plugin/amp/move", [.string("-1")], #"["-1"]"#), ("plugin/amp/move", [.float(0.5)], "[0.5]"),
        ("plugin/add", [.string("main=urn:x"), .int32(-1)], #"["main=urn:x",-1]"#),
        ("plugin/amp/midi", [.int32(256)], "[256]"), ("plugin/amp/midi", [.int32(144), .int32(-1)], "[144,-1]"),
        ("interrupt/begin", [.string("n"), .string("duck"), .float(1)], #"["n","duck",1]"#),
        ("calibrate/start", [.string("head"), .float(61)], #"["head",61]"#), ("seek", [.float(-1)], "[-1]"),
        ("gain-by", [.float(81)], "[81]"),
    ]

    /// Answers of a conversation.
    private final class Answers: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test func `OSC refuses them`() {
        for (address, arguments, _) in Self.outside {
            switch ControlRequest.read(OSCMessage(ControlWire.prefix + address, arguments)) {
            case .failure(let unusable): #expect(unusable.reason.hasPrefix("\(address) takes "))
            case .success(let request): Issue.record("\(address) \(arguments): \(request)")
            }
        }
    }

    @Test func `JSON refuses them, over a socket as over WebSocket`() async {
        let desk = SessionDesk()
        desk.commands.serve { _ in .done }
        for (address, _, json) in Self.outside {
            let answers = Answers()
            let conversation = JSONConversation(at: desk, send: { $0.forEach(answers.add) }, wake: {})
            conversation.receive(Array(#"{"address":"\#(address)","arguments":\#(json)}"#.utf8))
            #expect(await eventually { !answers.all.isEmpty })
            let answer = answers.all.first?.replacing(#"\/"#, with: "/") ?? ""
            #expect(answer.hasPrefix(#"{"refused":"\#(address) takes "#), "\(answer)")
        }
        #expect(desk.commands.counts.performed == 0)
    }

    @Test func `A position from 0 on is taken as it is`() {
        for position in [0, 1, 400] {
            let values: [CommandValue] = [.whole(Int32(position))]
            #expect(Command.read("plugin/amp/move", values) == .command(.plugin(.move("amp", to: position))))
        }
    }
}
