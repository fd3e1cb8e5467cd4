import Desk
import Foundation
import Gate
import Racks
import SoundFixtures
import Testing

@testable import Session

/// Paths that a session writes to.
@Suite(.timeLimit(.minutes(10))) struct WrittenPathTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `The first take without a name goes into the folder of recordings`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        rig.live.environment.desk.commands.gate = WriteGate(recordings: scratch("new/takes"))
        await rig.done(.record(.turn(on: true)))
        #expect(await rig.live.take == (try PathText.resolved(scratch("new/takes"))) + "/ears.wav")
        rig.play(seconds: 0.1)
        await rig.done(.record(.stop))
        try await rig.live.end()
        #expect(FileManager.default.fileExists(atPath: scratch("new/takes/ears.wav")))
    }

    @Test func `Chains are saved over nothing but chains`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        let mine = scratch("mine")
        try FileManager.default.createDirectory(atPath: mine + "/audio", withIntermediateDirectories: true)
        try Data("precious".utf8).write(to: URL(fileURLWithPath: mine + "/audio/take1.wav"))
        #expect(await rig.refusal(of: .plugin(.save(mine)))?.contains("not written there by this program") == true)
        #expect(try String(contentsOfFile: mine + "/audio/take1.wav", encoding: .utf8) == "precious")
        for name in ["new", "new"] { await rig.done(.plugin(.save(scratch(name)))) }
        // A folder as an earlier version left it, without a list of its contents.
        try FileManager.default.removeItem(atPath: scratch("new/.proscenium"))
        await rig.done(.plugin(.save(scratch("new"))))
        try Data("precious".utf8).write(to: URL(fileURLWithPath: scratch("new/note.txt")))
        #expect(await rig.refusal(of: .plugin(.save(scratch("new")))) != nil)
        #expect(FileManager.default.fileExists(atPath: scratch("new/note.txt")))
        try await rig.live.end()
    }
}
