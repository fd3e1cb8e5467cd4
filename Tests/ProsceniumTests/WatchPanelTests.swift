import Control
import Desk
import Stages
import Synchronization
import Testing

@testable import proscenium

/// Commands that the keys of `watch` send to a session.
@Suite(.timeLimit(.minutes(10))) struct WatchPanelTests {
    /// Presses keys at a session with these values, which is dimmed; nil: one that refuses `state`. `isOlder`: its
    /// status has no version. Returns the commands that the session gets, except questions, and the remark on the
    /// screen.
    private static func press(
        _ keys: String, _ values: SessionValues?, isOlder: Bool = false
    ) async throws -> (commands: [SessionCommand], remark: String?) {
        let got = Mutex<[SessionCommand]>([])
        let queue = CommandQueue()
        queue.serve { command in
            switch command {
            case .state:
                guard let values else { return .refused("not this one") }
                return .state(values)
            case .status:
                var status = SessionStatus()
                status.controlVersion = isOlder ? nil : SessionStatus.newestControl
                (status.monitor.level, status.monitor.isDimmed, status.monitor.isTalking) = (-43, true, true)
                return .status(status)
            default:
                got.withLock { $0.append(command) }
                return .done
            }
        }
        let server = try ControlServer(at: ControlAddress(port: 0), desk: SessionDesk(commands: queue))
        // Other tests of this process may delay its tasks by many seconds.
        let panel = WatchPanel(.osc(server.address), TerminalStyle(), patience: .seconds(300))
        await panel.take(Array(keys.utf8))
        let remark = await panel.remark
        await server.stop()
        return (got.withLock { $0 }, remark)
    }

    private static func set(_ name: String, _ word: String, of input: String? = nil) throws -> SessionCommand {
        .set(try ParameterChange(name, [word], input: input))
    }

    @Test(arguments: [("+", "-2"), ("-", "-4")])
    func `A step goes from the level that is set, without dim and talkback`(_ key: String, _ level: String)
        async throws
    {
        let values: SessionValues = [
            "monitor-level": .number(-3), "dim": .word("on"), "dim-level": .number(-20), "talkback": .word("on"),
        ]
        let pressed = try await Self.press(key, values)
        let expected = [try Self.set("monitor-level", level)]
        #expect(pressed.commands == expected && pressed.remark == nil)
    }

    @Test func `Keys that go on from a value go on from the session's value`() async throws {
        let values: SessionValues = [
            "fold-down": .word("mono"), "abx": .word("off"), "loudspeaker/FL/mute": .word("on"),
        ]
        let pressed = try await Self.press("FbU", values)
        let expected = [
            try Self.set("fold-down", "none"), try Self.set("abx", "ab"),
            try Self.set("loudspeaker-mute", "toggle", of: "front"),
        ]
        #expect(pressed.commands == expected && pressed.remark == nil)
    }

    @Test func `A session that does not know its values by address is not stepped`() async throws {
        let older = try await Self.press("+", nil, isOlder: true)
        #expect(older.commands.isEmpty && older.remark?.contains("does not have") == true)
        // A refusal of another session has a reason of its own.
        let refusing = try await Self.press("+", nil)
        #expect(refusing.commands.isEmpty && refusing.remark == "the session refused: not this one")
        let empty = try await Self.press("-", [:])
        #expect(empty.commands.isEmpty && empty.remark == "monitor-level has no value to step from")
        // Other keys need no values.
        let other = try await Self.press("m", nil, isOlder: true)
        let expected = [try Self.set("monitor-mute", "toggle")]
        #expect(other.commands == expected && other.remark == nil)
    }
}
