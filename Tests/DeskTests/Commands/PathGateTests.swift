import Desk
import Foundation
import Gate
import Racks
import SoundFixtures
import Stages
import Synchronization
import Testing

/// Paths from the doors: each door reaches only the paths it may, and the session receives absolute paths.
@Suite(.timeLimit(.minutes(10))) struct PathGateTests {
    private let scratch: Scratch
    private let desk = SessionDesk()

    init() throws {
        scratch = try Scratch()
        for folder in ["takes", "session", "elsewhere"] {
            try FileManager.default.createDirectory(atPath: scratch(folder), withIntermediateDirectories: true)
        }
        desk.commands.gate = WriteGate(recordings: scratch("takes"), session: scratch("session"))
    }

    /// Submits a command from a door. Returns its reply.
    private func reply(_ command: SessionCommand, _ origin: PathOrigin) async -> SessionReply {
        await withCheckedContinuation { done in
            desk.commands.submit(command, origin: origin) { done.resume(returning: $0) }
        }
    }

    /// Returns the command as the session receives it; nil where it is refused.
    private func admitted(_ command: SessionCommand, _ origin: PathOrigin) async -> SessionCommand? {
        let carriedOut = Mutex<SessionCommand?>(nil)
        desk.commands.serve { command in
            carriedOut.withLock { $0 = command }
            return .done
        }
        _ = await reply(command, origin)
        return carriedOut.withLock(\.self)
    }

    @Test func `A take and chains go where the door may write, as whole paths`() async throws {
        let real = try PathText.resolved(scratch("takes"))
        #expect(await admitted(.record(.start(file: "a.wav")), .network) == .record(.start(file: real + "/a.wav")))
        #expect(await admitted(.plugin(.save("chains")), .network) == .plugin(.save(real + "/chains")))
        let elsewhere = scratch("elsewhere")
        #expect(await admitted(.record(.start(file: elsewhere + "/a.wav")), .network) == nil)
        #expect(await admitted(.plugin(.save(elsewhere + "/chains")), .network) == nil)
        #expect(await admitted(.record(.start(file: elsewhere + "/a.wav")), .socket) != nil)
        #expect(await admitted(.plugin(.save(elsewhere + "/chains")), .socket) != nil)
        for path in ["", ".", "..", "~", "x/..", "../chains"] {
            for door in [PathOrigin.network, .socket] {
                #expect(await admitted(.plugin(.save(path)), door) == nil, "\(path)")
                #expect(await admitted(.record(.start(file: path)), door) == nil, "\(path)")
            }
        }
        #expect(await admitted(.plugin(.load("chains")), .network) == .plugin(.load(scratch("takes/chains"))))
        #expect(await admitted(.record(.start(file: nil)), .network) == .record(.start(file: nil)))
    }

    /// Rows with a path among their arguments.
    private static let ofPaths = Command.rows(of: .desk).filter { row in
        row.typedArguments.contains { if case .path = $0.kind { true } else { false } }
    }

    @Test func `At least a take and both commands of chains have a path`() { #expect(Self.ofPaths.count >= 3) }

    @Test(arguments: ofPaths)
    func `No command with a path reaches the session with a relative one`(_ row: Command) async throws {
        guard case .command(let command)? = Command.read(row.id, [.text("a.wav")]) else {
            Issue.record("\(row.id) does not take a path")
            return
        }
        let received = try #require(await admitted(command, .network))
        let path = try #require(Command.written(received)?.values.first?.written)
        #expect(path.hasPrefix("/") && path.hasSuffix("/a.wav"), "\(row.id): \(path)")
    }

    @Test func `A parameter's file begins at the folder of recordings, and a name stays a name`() async throws {
        func value(_ id: String, _ word: String) async throws -> String? {
            let change = try ParameterChange(id, [word])
            guard case .set(let admitted)? = await admitted(.set(change), .network) else { return nil }
            return admitted.value.word
        }
        #expect(try await value("hrtf", "sets/mine.sofa") == scratch("takes/sets/mine.sofa"))
        #expect(try await value("hrtf", "/sets/mine.sofa") == "/sets/mine.sofa")
        #expect(try await value("hrtf", "kemar") == "kemar")
        #expect(try await value("room-name", "studio") == "studio")
        #expect(try await value("room-name", "studoi") == "studoi")
        #expect(try await value("layout", "../own.json") == nil)
    }
}
