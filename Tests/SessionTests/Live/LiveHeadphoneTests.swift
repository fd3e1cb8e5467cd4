import AbsentPlaces
import AudioIO
import AudioInMemory
import Desk
import Foundation
import Gate
import Headphones
import Loading
import SavedSessions
import Signal
import SoundFixtures
import Stages
import Testing

@testable import Session

/// The headphone equaliser in a session.
@Suite(.timeLimit(.minutes(10))) struct LiveHeadphoneTests {
    private let scratch: Scratch
    /// Paths of equalisers of −6 dB and of −12 dB.
    private let soft: String, softer: String

    init() throws {
        scratch = try Scratch()
        (soft, softer) = (scratch("soft.txt"), scratch("softer.txt"))
        try "Preamp: -6 dB\n".write(toFile: soft, atomically: true, encoding: .utf8)
        try "Preamp: -12 dB\nFilter 1: ON PK Fc 1000 Hz Gain 0 dB Q 1\n"
            .write(toFile: softer, atomically: true, encoding: .utf8)
    }

    /// Returns the level of the ears once the change is in force, dB.
    private func level(_ rig: LiveRig) -> Double {
        rig.server.run(seconds: 0.3)
        return LiveRig.level(rig.play(seconds: 0.3))
    }

    /// A session copied with the targets of its links (`tar -h`) has the response that its equaliser's text names.
    @Test func `A session that was moved has the equaliser and all that it names`() async throws {
        let path = scratch("here")
        try FileManager.default.createDirectory(atPath: scratch("own/sub"), withIntermediateDirectories: true)
        let impulse = PlanarBlock(channels: 1, frames: 64)
        impulse[0][0] = 0.5
        let filter = try SoundFileWriter(path: scratch("own/sub/half.wav"), channels: 1, sampleRate: .studio)
        try filter.write(impulse, frames: 64)
        try filter.finish()
        try "Convolution: sub/half.wav\n".write(toFile: scratch("own/eq.txt"), atomically: true, encoding: .utf8)
        let eq = scratch("own/eq.txt")
        let rig = try await LiveRig { $0.stage.headphones = HeadphoneSettings(file: eq) }
        let folder = try SessionFolder(
            path, of: rig.live, at: rig.live.environment.desk, options: ["headphone-eq": .text(eq)]
        ) { rig.said.add($0) }
        await folder.open()
        try await folder.close()
        try await rig.live.end()
        let moved = scratch("there")
        let copy = Process()
        copy.executableURL = URL(fileURLWithPath: "/bin/cp")
        copy.arguments = ["-rL", path, moved]
        try copy.run()
        copy.waitUntilExit()
        try FileManager.default.removeItem(atPath: scratch("own"))
        let saved = try #require(try SessionDocument(folder: moved))
        let found = SessionFiles.find(saved, in: moved)
        #expect(found.remarks.isEmpty)
        let file = try #require(found.options["headphone-eq"]?.text)
        #expect(file.hasPrefix(moved) && !FileManager.default.fileExists(atPath: eq))
        let use = try HeadphonesInUse(file: file, sampleRate: .studio)
        #expect(abs(use.filter.loudness + 6.02) < 0.05)
        // Another equalisation is saved in place of the one that was found elsewhere.
        let again = try await LiveRig { $0.stage.headphones = HeadphoneSettings(file: file) }
        let other = try SessionFolder(moved, of: again.live, at: again.live.environment.desk, options: [:]) {
            again.said.add($0)
        }
        await other.open()
        await again.done(try .set("headphone-eq-file", softer))
        try await other.close()
        try await again.live.end()
        let kept = try #require(try SessionDocument(folder: moved))
        #expect(kept.recipe["headphone-eq"] == .text(softer))
        #expect(kept.used["headphone-eq"]?.path == softer, "\(kept.used)")
    }

    @Test func `A file is heard while all else plays on, and can be undone`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        let before = level(rig)
        let renderer = await rig.live.stage.assembly.renderer
        #expect(rig.state["headphone-eq-file"] == .word("none") && rig.state["headphone-eq"] == nil)
        await rig.done(try .set("headphone-eq-file", soft))
        #expect(abs(level(rig) - before + 6) < 0.1)
        #expect(rig.state["headphone-eq-file"] == .word(soft) && rig.state["headphone-eq"] == .word("on"))
        let status = try #require(await rig.live.status().headphones)
        #expect(status.name == "soft.txt" && status.isOn && abs(status.boost + 6) < 0.01)
        await rig.done(try .set("headphone-eq-file", softer))
        #expect(abs(level(rig) - before + 12) < 0.1)
        await rig.done(.history(.undo))
        #expect(abs(level(rig) - before + 6) < 0.1)
        await rig.done(.history(.undo))
        #expect(abs(level(rig) - before) < 0.1)
        #expect(await rig.live.stage.assembly.renderer === renderer, "the stage was built anew")
        #expect(rig.said.notes.contains { $0.contains("diffuse-field target") })
        try await rig.live.end()
    }

    @Test func `Switched off the sound without it is as loud`() async throws {
        let rig = try await LiveRig()
        let file = soft
        let with = try await LiveRig { $0.stage.headphones = HeadphoneSettings(file: file) }
        for each in [rig, with] { try await each.patch() }
        let before = level(rig)
        #expect(abs(level(with) - before + 6) < 0.1)
        await with.done(try .set("headphone-eq", "off"))
        #expect(abs(level(with) - before + 6) < 0.1 && with.state["headphone-eq"] == .word("off"))
        // A new equaliser is switched on.
        await with.done(try .set("headphone-eq-file", softer))
        #expect(with.state["headphone-eq"] == .word("on"))
        #expect(abs(level(with) - before + 12) < 0.1)
        for each in [rig, with] { try await each.live.end() }
    }

    @Test func `What cannot be read is refused with its line, and what plays plays on`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        let before = level(rig)
        #expect(await rig.refusal(of: try .set("headphone-eq", "on"))?.contains("headphone-eq-file FILE") == true)
        let bad = scratch("bad.txt")
        try "Preamp: -6 dB\nFilter 1: ON PK Fc x Hz".write(toFile: bad, atomically: true, encoding: .utf8)
        let reason = await rig.refusal(of: try .set("headphone-eq-file", bad))
        #expect(reason?.contains("bad.txt, line 2: Fc is 'x'") == true)
        #expect(
            await rig.refusal(of: try .set("headphone-eq-file", AbsentPlace.path()))?.contains("no such file") == true)
        #expect(rig.state["headphone-eq-file"] == .word("none"))
        #expect(abs(level(rig) - before) < 0.1)
        await #expect(throws: SessionError.self) {
            _ = try await LiveRig { $0.stage.headphones = HeadphoneSettings(file: bad) }
        }
        try await rig.live.end()
    }

    @Test func `Each scene has its own, and the switch is the same in all`() async throws {
        let rig = try await LiveRig()
        try await rig.patch()
        let before = level(rig)
        await rig.done(try .set("headphone-eq-file", soft))
        await rig.change(try .set("scene", "b"))
        #expect(rig.state["headphone-eq-file"] == .word(soft))
        await rig.done(try .set("headphone-eq-file", softer))
        #expect(abs(level(rig) - before + 12) < 0.1)
        await rig.change(try .set("scene", "a"))
        #expect(abs(level(rig) - before + 6) < 0.1)
        await rig.done(try .set("headphone-eq-file", "none"))
        // In a blind comparison nothing reveals which of the two has an equaliser.
        await rig.done(try .set("abx", "ab"))
        await rig.settle { await rig.live.staging.transition == nil }
        for sound in ["a", "b"] {
            await rig.change(try .set("abx-listen", sound))
            #expect(rig.state["headphone-eq"] == .word("on"))
            #expect(await rig.live.status().headphones == nil)
            await rig.done(try .set("headphone-eq", "off"))
            await rig.done(try .set("headphone-eq", "on"))
        }
        await rig.change(try .set("abx", "off"))
        try await rig.live.end()
    }

    @Test func `The print bus is without it, to the bit`() async throws {
        var printed: [[Float]] = []
        for file in ["none", softer] {
            let rig = try await LiveRig { $0.stage.headphones = HeadphoneSettings(file: file) }
            rig.server.addClient("recorder", inputs: ["l", "r"])
            try await rig.patch()
            await rig.done(try .set("print-bus", "on"))
            try #require(rig.server.connect("proscenium:print_L", to: "recorder:l"))
            rig.server.run(seconds: 0.5)
            _ = rig.server.takeArrived(at: "recorder:l")
            rig.play(seconds: 0.5)
            printed.append(rig.server.takeArrived(at: "recorder:l"))
            try await rig.live.end()
        }
        #expect(printed[0] == printed[1] && printed[0].contains { abs($0) > 0.01 })
    }

    @Test func `A session keeps it by its content, and finds it elsewhere`() async throws {
        let folder = scratch("session")
        let file = soft
        let rig = try await LiveRig()
        try await rig.patch()
        let kept = try SessionFolder(
            folder, of: rig.live, at: rig.live.environment.desk, options: [:], autosaves: true
        ) { rig.said.add($0) }
        await kept.open()
        await rig.done(try .set("headphone-eq-file", file))
        await rig.done(try .set("headphone-eq", "off"))
        try await kept.close()
        try await rig.live.end()
        let saved = try #require(try SessionDocument(folder: folder))
        #expect(saved.recipe["headphone-eq"] == .text(file) && saved.state["headphone-eq"] == .word("off"))
        #expect(saved.used["headphone-eq"]?.path == file)
        try FileManager.default.moveItem(atPath: file, toPath: scratch("moved.txt"))
        let missing = SessionFiles.find(saved, in: folder)
        #expect(missing.options["headphone-eq"] == nil)
        #expect(missing.remarks.contains { $0.contains("without an equalisation") }, "\(missing.remarks)")
        try FileManager.default.createDirectory(atPath: folder + "/files", withIntermediateDirectories: true)
        let link = try #require(saved.used["headphone-eq"]?.link)
        try? FileManager.default.removeItem(atPath: folder + "/files/" + link)
        try FileManager.default.copyItem(atPath: scratch("moved.txt"), toPath: folder + "/files/" + link)
        #expect(SessionFiles.find(saved, in: folder).options["headphone-eq"] == .text(folder + "/files/" + link))
    }

    @Test func `It is designed anew for another rate of the server`() async throws {
        let file = softer
        let rig = try await LiveRig { $0.stage.headphones = HeadphoneSettings(file: file) }
        try await rig.patch()
        rig.play()
        rig.server.setRate(44_100)
        await rig.settle { await rig.live.stage.client.sampleRate == .cd }
        #expect(await rig.live.stage.assembly.headphones?.filter.sampleRate == .cd)
        try await rig.live.end()
    }
}
