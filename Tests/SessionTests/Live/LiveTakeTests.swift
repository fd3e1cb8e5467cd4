import AudioIO
import AudioInMemory
import Desk
import Foundation
import Loading
import SoundFixtures
import Stages
import Testing

@testable import Session

/// Takes that begin, get markers and end while a session plays.
@Suite(.timeLimit(.minutes(10))) struct LiveTakeTests {
    /// Performs a recording command and returns the status; throws if it is refused.
    private func take(
        _ rig: LiveRig, _ command: SessionCommand.Recording, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RecordingStatus {
        guard case .recording(let status) = await rig.live.perform(.record(command)) else {
            let why = await rig.refusal(of: .record(command)) ?? "nothing"
            throw SessionError(.environment, why)
        }
        return status
    }

    @Test func takesAreNumberedAndReplaceNothing() async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig()
        try await rig.patch()
        rig.play()
        #expect(rig.state["record"] == .word("off") && rig.state["record/file"] == nil)
        let begun = try await take(rig, .start(file: scratch("song.wav")))
        #expect(begun.file == scratch("song.wav") && begun.number == 1 && begun.markers == 0)
        #expect(rig.state["record"] == .word("on") && rig.state["record/file"] == .word(scratch("song.wav")))
        let first = rig.play(seconds: 0.2)
        let done = try await take(rig, .stop)
        #expect(done.file == begun.file && done.ended == nil && done.lost == nil)
        #expect(done.seconds == Double(first[0].count) / 48_000)
        #expect(rig.state["record"] == .word("off") && rig.state["record/number"] == nil)
        #expect(try WholeSound.read(scratch("song.wav")) == first)

        // The same name again, then no name.
        #expect(try await take(rig, .start(file: scratch("song.wav"))).file == scratch("song-2.wav"))
        #expect(await rig.live.status().recordings.map(\.number) == [2])
        let second = rig.play(seconds: 0.1, seed: 3)
        _ = try await take(rig, .stop)
        await rig.done(.record(.turn(on: true)))
        #expect(await rig.live.take == scratch("song-3.wav"))
        await rig.done(.record(.turn(on: true)))
        let third = rig.play(seconds: 0.1, seed: 4)
        await rig.done(.record(.turn(on: nil)))
        await rig.done(.record(.turn(on: false)))
        #expect(await rig.live.take == nil)
        #expect(try WholeSound.read(scratch("song.wav")) == first)
        #expect(try WholeSound.read(scratch("song-2.wav")) == second)
        #expect(try WholeSound.read(scratch("song-3.wav")) == third)
        try await rig.live.end()
        #expect(scratch.contents == ["song-2.wav", "song-3.wav", "song.wav"])
    }

    @Test func whatIsHeardIsTheSameToTheBit() async throws {
        var heard: [[[Float]]] = []
        for records in [false, true] {
            let scratch = try Scratch()
            let rig = try await LiveRig()
            try await rig.patch()
            var ears = rig.play(seconds: 0.1)
            func goOn(_ command: SessionCommand.Recording, seed: UInt64) async throws {
                if records { _ = try await take(rig, command) }
                for (ear, more) in rig.play(seconds: 0.05, seed: seed).enumerated() { ears[ear] += more }
            }
            try await goOn(.start(file: scratch("a.wav")), seed: 1)
            try await goOn(.marker(name: "here"), seed: 2)
            try await goOn(.stop, seed: 3)
            try await goOn(.start(file: nil), seed: 4)
            try await rig.live.end()
            heard.append(ears)
        }
        #expect(heard[0] == heard[1] && heard[0][0].contains { abs($0) > 0.001 })
    }

    @Test(arguments: ["wav", "rf64", "bw64", "aiff", "flac", "caf", "w64"])
    func markersStandAtWhatIsHeardNow(format: String) async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig()
        try await rig.patch()
        rig.server.setPlaybackLatency(512)
        rig.play()
        _ = try await take(rig, .start(file: scratch("ears." + format)))
        // The sound heard now was rendered before the take began: the marker is at its start.
        #expect(try await take(rig, .marker(name: nil)).marker?.frame == 0)
        let heard = rig.play(seconds: 0.1)[0].count
        let marked = try await take(rig, .marker(name: "verse"))
        #expect(marked.marker?.name == "verse" && marked.marker?.frame == heard - 512 && marked.markers == 2)
        #expect(rig.state["record/markers"] == .number(2))
        #expect(FileManager.default.fileExists(atPath: scratch("ears.\(format).markers.txt.part")))
        rig.play(seconds: 0.1)
        _ = try await take(rig, .stop)
        try await rig.live.end()
        let expected = [
            SoundFileMarker(frame: 0, name: "marker 1"), SoundFileMarker(frame: heard - 512, name: "verse"),
        ]
        if ["wav", "rf64", "bw64", "aiff"].contains(format) {
            #expect(scratch.contents == ["ears." + format])
            #expect(try SoundFileReader(path: scratch("ears." + format)).metadata.markers == expected)
        } else {
            #expect(scratch.contents == ["ears." + format, "ears.\(format).markers.txt"])
            let text = try String(contentsOfFile: scratch("ears.\(format).markers.txt"), encoding: .utf8)
            let seconds = String(format: "%.6f", Double(heard - 512) / 48_000)
            #expect(text == "0.000000\t0.000000\tmarker 1\n\(seconds)\t\(seconds)\tverse\n")
        }
    }

    @Test func whatCannotBeRecordedIsRefused() async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig()
        #expect(await rig.refusal(of: .record(.stop)) == "nothing is recorded")
        #expect(await rig.refusal(of: .record(.marker(name: nil)))?.contains("record start") == true)
        for (file, reason) in [("ears.ogg", ".flac"), ("nowhere/ears.wav", "no such folder")] {
            #expect(await rig.refusal(of: .record(.start(file: scratch(file))))?.contains(reason) == true)
        }
        #expect(rig.state["record"] == .word("off") && scratch.contents.isEmpty)
        _ = try await take(rig, .start(file: scratch("ears.wav")))
        #expect(await rig.refusal(of: .record(.start(file: nil)))?.contains("ears.wav is being recorded") == true)
        // A take without sound leaves no file.
        let empty = try await take(rig, .stop)
        #expect(empty.ended?.contains("nothing was recorded") == true && scratch.contents.isEmpty)
        try await rig.live.end()
    }

    @Test func aTakeGoesOnInTheNextFileWhereTheServerWent() async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig()
        try await rig.patch()
        _ = try await take(rig, .start(file: scratch("ears.wav")))
        let before = rig.play(seconds: 0.1)
        _ = try await take(rig, .marker(name: "before"))
        rig.server.shutDown()
        try await rig.heard { $0.serverGoneFor != nil }
        #expect(try WholeSound.read(scratch("ears.wav")) == before)
        #expect(try SoundFileReader(path: scratch("ears.wav")).metadata.markers.map(\.name) == ["before"])
        #expect(await rig.refusal(of: .record(.marker(name: nil))) != nil)
        rig.server.comeBack()
        rig.server.addClient("daw", outputs: (1...8).map { "out_\($0)" })
        try await rig.comesBack()
        let after = rig.play(seconds: 0.1)
        let done = try await take(rig, .stop)
        #expect(done.file == scratch("ears-2.wav") && done.number == 2)
        #expect(try WholeSound.read(scratch("ears-2.wav")) == after)
        // A take that ends while the server is gone does not go on.
        _ = try await take(rig, .start(file: nil))
        rig.play(seconds: 0.1)
        rig.server.shutDown()
        try await rig.heard { $0.serverGoneFor != nil }
        await rig.done(.record(.stop))
        #expect(await rig.refusal(of: .record(.start(file: nil)))?.contains("server is gone") == true)
        rig.server.comeBack()
        try await rig.comesBack()
        #expect(rig.state["record"] == .word("off"))
        try await rig.live.end()
        #expect(scratch.contents == ["ears-2.wav", "ears-3.wav", "ears.wav"])
    }

    @Test func whatWasCutOffIsRecoveredBeforeItsNameIsRecordedAnew() async throws {
        let scratch = try Scratch()
        try Data("0.5\t0.5\tverse\n".utf8).write(to: URL(fileURLWithPath: scratch("ears.wav.markers.txt.part")))
        let rig = try await LiveRig()
        _ = try await take(rig, .start(file: scratch("ears.wav")))
        rig.play()
        _ = try await take(rig, .marker(name: nil))
        try await rig.live.end()
        #expect(scratch.contents == ["ears-recovered.wav.markers.txt", "ears.wav"])
        #expect(rig.said.notes.contains { $0.contains("ears-recovered.wav.markers.txt") })
    }

    @Test func itIsASwitchAtItsAddressThatNothingTurnsByItself() async throws {
        let scratch = try Scratch()
        let rig = try await LiveRig { $0.record = scratch("ears.wav") }
        #expect(rig.state["record"] == .word("on") && StateAddress("record").isSwitch)
        #expect(!StateAddress("record").isKept)
        rig.play()
        let off = try #require(try StateAddress.record.command(.word("off")))
        guard case .recording(let done) = await rig.live.perform(off) else { throw SessionError(.usage, "refused") }
        #expect(done.file == scratch("ears.wav"))
        #expect(await rig.refusal(of: .history(.undo)) == "there is nothing to undo")
        #expect(try StateAddress.record.command(.number(2)) == nil)
        try await rig.live.end()
    }
}
