import ADMFixtures
import Capture
import Foundation
import Loading
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing
import TurnedTakes

@testable import AudioIO
@testable import Preview
@testable import Session

/// Files that describe their tracks or the turns of their device, as a preview plays them.
@Suite struct PreviewedProgrammeTests {
    private static func write(_ file: ModelFile, _ path: String) throws {
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test func aPreviewPlaysTheTracksThatAreSomethingInTheirOrder() throws {
        let folder = try Scratch()
        let rows = [ModelFile.Row(3, "AT_00010001_01"), ModelFile.Row(1, "AT_00010002_01")]
        try Self.write(ModelFile(silent: 3, rows: rows), folder("film.wav"))
        try Self.write(ModelFile(silent: 2), folder("plain.wav"))
        let list = try PreviewList(
            PreviewSettings(
                live: LiveSettings(stage: StageSettings()), files: [folder("film.wav"), folder("plain.wav")]))
        #expect(
            list.entries == [PlaylistEntry(folder("film.wav"), channels: [2, 0]), PlaylistEntry(folder("plain.wav"))])
        // Both files are stereo, so one follows the other without a gap.
        #expect(list.acts.count == 1 && list.acts[0].layout.name == "stereo")
        #expect(
            list.remarks == ["\(folder("film.wav")): track 2 has no content in the ADM definitions and is not played"])
    }

    @Test func aPreviewRefusesObjectsByName() throws {
        let folder = try Scratch()
        var text = ModelText()
        text.sound("Dialogue", type: "0003", [1])
        try Self.write(ModelFile(silent: 1, rows: text.allocation, document: text.document()), folder("film.wav"))
        let error = #expect(throws: SessionError.self) {
            try PreviewList(
                PreviewSettings(live: LiveSettings(stage: StageSettings()), files: [folder("film.wav")]))
        }
        let what = "holds ADM objects, which are not rendered here yet: \"Dialogue\" (track 1)"
        #expect(error?.description.hasPrefix("\(folder("film.wav")) \(what)") == true)
    }

    @Test func aTakeThatIsSteadiedIsHeldWhereverItIsPlayed() throws {
        let folder = try Scratch()
        try TurnedTake.write(folder("take.wav"), turns: true)
        var stage = StageSettings(hrtf: "generated")
        stage.programmes.steady = .hold
        let list = try PreviewList(
            PreviewSettings(live: LiveSettings(stage: stage), files: [folder("take.wav")]))
        // Read as the player does: to the end, and from places within the turn that are multiples of no block length.
        let file = try PlaybackFile(list.entries[0], rate: .studio)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4 * 5000)
        defer { samples.deallocate() }
        func rest() throws -> [[Float]] {
            var field = [[Float]](repeating: [], count: 4)
            while case let count = try file.read(into: samples, frames: 5000), count > 0 {
                for channel in 0..<4 { field[channel] += (0..<count).map { samples[4 * $0 + channel] } }
            }
            return field
        }
        let whole = try rest()
        for frame in stride(from: 0, to: 93_000, by: 2400) { #expect(TurnedTake.degrees(whole, at: frame) <= 0.5) }
        for place in [50_021, 30_007, 71_999, 0] {
            try file.seek(to: place)
            // A read before the second seek, as when a player jumps.
            _ = try file.read(into: samples, frames: 1234)
            try file.seek(to: place)
            let field = try rest()
            for channel in 0..<4 { #expect(field[channel] == Array(whole[channel][place...])) }
            #expect(TurnedTake.degrees(field, at: 0) <= 0.5)
        }
        // At another rate than the file's the direction is as accurate, even right after the seek.
        let converted = try PlaybackFile(list.entries[0], rate: .cd)
        for seconds in [0.7, 1.3, 0.9] {
            try converted.seek(to: Int(seconds * 44_100))
            let count = try converted.read(into: samples, frames: 2400)
            let field = (0..<4).map { channel in (0..<count).map { samples[4 * $0 + channel] } }
            #expect(count == 2400 && TurnedTake.degrees(field, at: 0) <= 0.5)
        }
    }
}
