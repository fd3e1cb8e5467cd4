import Desk
import Foundation
import HeadTracking
import Loading
import Stages
import Synchronization
import Testing
import Waiting

@testable import Control

/// JSON over a Unix socket of the session's user.
@Suite(.timeLimit(.minutes(10))) struct JSONDoorTests {
    /// Lines that a conversation sends.
    private final class Sent: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private func conversation(_ desk: SessionDesk) -> (JSONConversation, Sent) {
        let sent = Sent()
        return (JSONConversation(at: desk, send: { $0.forEach(sent.add) }, wake: {}), sent)
    }

    @Test func aRequestIsAnsweredWithItsNumber() async {
        let desk = SessionDesk()
        desk.commands.serve { command in
            command == .recentre(.full) ? .done : .refused("no \"such\" thing")
        }
        let (conversation, sent) = conversation(desk)
        conversation.receive(Array(#"{"id":"x","address":"recentre","arguments":"full"}"#.utf8))
        conversation.receive(Array(#"{"id":2,"address":"/proscenium/recentre"}"#.utf8))
        conversation.receive(Array(#"{"address":"input/main/level","arguments":[-200]}"#.utf8))
        #expect(await eventually { sent.all.count == 3 })
        #expect(sent.all.contains(#"{"id":"x","reply":"done"}"#))
        #expect(sent.all.contains(#"{"id":2,"refused":"no \"such\" thing"}"#))
        #expect(sent.all.contains { $0.hasPrefix(#"{"refused":"level takes -120 to 40 dB"#) })
    }

    @Test(arguments: [
        "", "nonsense", "[]", "{}", #"{"address":7}"#, #"{"address":"mode","arguments":{}}"#,
        #"{"address":"mode","arguments":[[1]]}"#, String(repeating: "[", count: 60_000),
        #"{"address":""# + String(repeating: "a", count: 70_000) + #""}"#,
    ])
    func whatIsNoRequestIsRefusedAndCounted(_ text: String) {
        let desk = SessionDesk()
        let (conversation, sent) = conversation(desk)
        conversation.receive(Array(text.utf8))
        #expect(sent.all.count == 1 && sent.all[0].hasPrefix(#"{"refused":"#))
        #expect(desk.commands.counts.malformed == 1)
    }

    @Test func aSubscriberHearsAllAndThenWhatChanges() {
        let desk = SessionDesk()
        desk.state.enter(["mode": .word("tracked"), "place": .numbers([1, 2, 3])])
        let (conversation, sent) = conversation(desk)
        conversation.receive(Array(#"{"id":1,"address":"subscribe","arguments":["state","events"]}"#.utf8))
        conversation.flush()
        desk.state.enter(["mode": .word("fixed")])
        desk.events.tell(.routeHeld)
        conversation.flush()
        #expect(
            sent.all == [
                #"{"id":1,"reply":"done"}"#,
                #"{"revision":1,"state":{"mode":"tracked","place":[1,2,3]},"whole":true}"#,
                #"{"revision":2,"state":{"mode":"fixed","place":null}}"#, #"{"event":"route-held","of":{}}"#,
            ])
        conversation.receive(Array(#"{"address":"unsubscribe"}"#.utf8))
        desk.state.enter([:])
        conversation.flush()
        #expect(sent.all.count == 5)
    }

    @Test func `State is answered with the values with which a subscription begins`() async {
        let desk = SessionDesk()
        desk.state.enter(["mode": .word("tracked"), "place": .numbers([1, 2, 3]), "input/main/level": .number(-3)])
        desk.commands.serve { [book = desk.state] command in
            command == .state ? .state(book.state.values) : .refused("only state")
        }
        let (conversation, sent) = conversation(desk)
        conversation.receive(Array(#"{"id":1,"address":"state"}"#.utf8))
        #expect(await eventually { sent.all.count == 1 })
        conversation.receive(Array(#"{"id":2,"address":"subscribe","arguments":["state"]}"#.utf8))
        conversation.flush()
        let values = #"{"input\/main\/level":-3,"mode":"tracked","place":[1,2,3]}"#
        #expect(
            sent.all == [
                #"{"id":1,"reply":"# + values + "}", #"{"id":2,"reply":"done"}"#,
                #"{"revision":1,"state":"# + values + #","whole":true}"#,
            ])
        conversation.end()
    }

    @Test func aSocketIsForItsUserAloneAndGoesWithItsSession() async throws {
        let desk = SessionDesk()
        desk.commands.serve { $0 == .quit ? .done : .refused("only quit") }
        let path = NSTemporaryDirectory() + "door-\(UUID().uuidString.prefix(8)).sock"
        let doors = StreamDoors(at: desk)
        try await doors.openSocket(at: path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let answers = await Self.besides { () -> [String] in
            guard let client = SocketClient(path: path) else { return [] }
            return [SessionCommand.quit, .status].map { command in
                switch client.request(ControlMessages.message(for: command), timeout: .seconds(300)) {
                case .reply(let text): text
                case .refused(let why): "refused: " + why
                case .none: "nothing"
                }
            }
        }
        #expect(answers == ["done", "refused: only quit"])
        await doors.close()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aSocketAtWhichASessionListensIsNotReplaced() async throws {
        let path = NSTemporaryDirectory() + "door-\(UUID().uuidString.prefix(8)).sock"
        let (first, second) = (StreamDoors(at: SessionDesk()), StreamDoors(at: SessionDesk()))
        try await first.openSocket(at: path)
        await #expect(throws: SessionError.self) { try await second.openSocket(at: path) }
        #expect(await Self.besides { SocketClient(path: path) != nil })
        await first.close()
        try await second.openSocket(at: path)
        await second.close()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// Runs blocking work on a thread of its own, and returns its result.
    private static func besides<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { done in Thread.detachNewThread { done.resume(returning: work()) } }
    }
}
