import AudioInMemory
import Rendering
import Signal
import Synchronization
import Testing
import Waiting

@testable import AudioIO

@Suite struct StageMIDITests {
    private static let ports = ["FL", "FR"].map { StagePort(symbol: $0, prettyName: $0, group: "stereo") }

    private final class Heard: Sendable {
        private let content = Mutex<(messages: [[UInt8]], arrivals: Int)>(([], 0))
        var messages: [[UInt8]] { content.withLock { $0.messages } }
        var arrivals: Int { content.withLock { $0.arrivals } }
        func add(_ message: [UInt8]) { content.withLock { $0.messages.append(message) } }
        func arrive() { content.withLock { $0.arrivals += 1 } }

        /// Waits until `count` messages have come. Returns whether exactly that many came.
        func wait(for count: Int) async -> Bool {
            await comes { messages.count >= count } && messages.count == count
        }
    }

    private static func stage(_ server: MemoryServer, _ midi: StageMIDI) throws -> any StageDriver {
        let stage = try server.openStage(name: "proscenium")
        stage.attach(midi)
        try stage.activate(
            renderer: try makeStage(), inputs: Self.ports, start: .firstCycle,
            mutesOnRouteLoss: false)
        return stage
    }

    @Test func messagesPassBothWaysInOrder() async throws {
        let (server, midi, heard) = (MemoryServer(), try StageMIDI(), Heard())
        midi.hear({ heard.add($0) }, arrival: { heard.arrive() })
        #expect(midi.send([[1]]) == 0)
        let stage = try Self.stage(server, midi)
        #expect(heard.arrivals == 1)
        let messages = (0..<100).map { [0xB0, 7, UInt8($0)] }
        for message in messages { #expect(server.send(message, to: "proscenium")) }
        #expect(await heard.wait(for: 100))
        #expect(heard.messages == messages)
        // The longest message that is sent has 56 bytes.
        let sent = messages + [[UInt8](repeating: 1, count: 57), [], [UInt8](repeating: 2, count: 56)]
        #expect(midi.send(sent) == 101)
        #expect(server.takeMessages(of: "proscenium") == messages + [[UInt8](repeating: 2, count: 56)])
        stage.close()
        #expect(!server.send([0xC0, 1], to: "proscenium") && midi.send([[0xC0, 1]]) == 0)
        midi.end()
    }

    @Test func theNextDriverTakesThePorts() async throws {
        let (server, midi, heard) = (MemoryServer(), try StageMIDI(), Heard())
        midi.hear({ heard.add($0) }, arrival: { heard.arrive() })
        try Self.stage(server, midi).close()
        let second = try Self.stage(server, midi)
        #expect(heard.arrivals == 2)
        #expect(server.send([0xC0, 1], to: "proscenium"))
        #expect(await heard.wait(for: 1))
        #expect(midi.send([[0xC0, 2]]) == 1)
        #expect(server.takeMessages(of: "proscenium") == [[0xC0, 2]])
        second.close()
        midi.end()
    }

    @Test func whoIsConnectedLaterIsToldOf() throws {
        let (server, midi, heard) = (MemoryServer(), try StageMIDI(), Heard())
        midi.hear({ heard.add($0) }, arrival: { heard.arrive() })
        #expect(!server.listen(to: "proscenium"))
        let stage = try Self.stage(server, midi)
        #expect(heard.arrivals == 1)
        #expect(server.listen(to: "proscenium") && heard.arrivals == 2)
        #expect(server.listen(to: "proscenium") && heard.arrivals == 3)
        stage.close()
        #expect(!server.listen(to: "proscenium") && heard.arrivals == 3)
        midi.end()
    }

    @Test func aStageWithoutItHasNoSuchPorts() throws {
        let server = MemoryServer()
        let stage = try server.openStage(name: "proscenium")
        try stage.activate(
            renderer: try makeStage(), inputs: Self.ports, start: .firstCycle,
            mutesOnRouteLoss: false)
        #expect(!server.send([0xC0, 1], to: "proscenium"))
        stage.close()
    }
}
