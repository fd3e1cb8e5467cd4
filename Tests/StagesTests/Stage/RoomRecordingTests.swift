import AudioIO
import Foundation
import Geometry
import HRTF
import Headphones
import Loading
import Rooms
import Signal
import Soundstage
import Stages
import Testing

/// A temporary folder, deleted by `remove`.
private struct Folder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("rooms-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Writes a file whose channel c has a click of height c + 1 + `add` at sample `place`; `silent` ones have none.
    func write(
        _ name: String, channels: Int, frames: Int = 32, rate: SampleRate = .studio, add: Float = 0, at place: Int = 3,
        silent: Set<Int> = []
    ) throws {
        let writer = try SoundFileWriter(path: path + "/" + name, channels: channels, sampleRate: rate)
        let block = PlanarBlock(channels: channels, frames: frames)
        for channel in 0..<channels where !silent.contains(channel) {
            block[channel][place] = Float(channel + 1) + add
        }
        try writer.write(block, frames: frames)
        try writer.finish()
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

@Suite("Rooms in sound files")
struct RoomRecordingTests {
    private func complaint(_ body: () throws -> RoomViews) -> String {
        do {
            _ = try body()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("2N channels are N loudspeakers, left and right by turns")
    func oneFile() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("room.wav", channels: 6)
        let views = try RoomRecordings.file(folder.path + "/room.wav")
        #expect(views.sources.count == 3 && views.sampleRate == 48_000 && views.sampleCount == 32)
        for source in 0..<3 {
            let (left, right) = try views.read(views.sources[source].views[0].key, views.sampleCount)
            #expect(left[3] == Float(2 * source + 1) && right[3] == Float(2 * source + 2))
        }
    }

    /// The channels by HeSuVi's own list: FL, SL, BL (left and right ear each), FC left, FR, SR, BR (right and left
    /// ear each), FC right; seven channels are the first seven, of a room that is its own mirror image.
    @Test("14 and 7 channels in HeSuVi's order are seven loudspeakers with their directions", arguments: [14, 7])
    func heSuVi(_ channels: Int) throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("HeSuVi.wav", channels: channels)
        let views = try RoomRecordings.file(folder.path + "/HeSuVi.wav")
        let ears: [Int: [(Float, Float)]] = [
            14: [(1, 2), (3, 4), (5, 6), (7, 14), (9, 8), (11, 10), (13, 12)],
            7: [(1, 2), (3, 4), (5, 6), (7, 7), (2, 1), (4, 3), (6, 5)],
        ]
        let azimuths = [30, 90, 135, 0, -30, -90, -135]
        #expect(views.sources.count == 7 && views.remarks.contains { $0.hasSuffix("FL SL BL FC FR SR BR") })
        for (source, heard) in zip(views.sources, try #require(ears[channels])) {
            let (left, right) = try views.read(source.views[0].key, views.sampleCount)
            #expect(left[3] == heard.0 && right[3] == heard.1)
        }
        #expect(
            views.sources.map { Int((($0.direction?.azimuth ?? 9) * 180 / .pi).rounded()) } == azimuths)
        try folder.write("room.wav", channels: channels)
        if channels == 14 {
            #expect(try RoomRecordings.file(folder.path + "/room.wav").sources.allSatisfy { $0.direction == nil })
        } else {
            #expect(complaint { try RoomRecordings.file(folder.path + "/room.wav") }.contains("'hesuvi' in its name"))
        }
    }

    @Test("loudspeakers that a HeSuVi file holds as silence are left out and named, and the nearest ones play for them")
    func unmeasured() throws {
        let folder = try Folder()
        defer { folder.remove() }
        // As Impulcifer writes it where SL and SR were not measured.
        try folder.write("HeSuVi.wav", channels: 14, frames: 4096, at: 2000, silent: [2, 3, 9, 10])
        let views = try RoomRecordings.file(folder.path + "/HeSuVi.wav")
        #expect(views.sources.count == 5 && views.remarks.contains { $0.hasSuffix("left out: SL SR") })
        let field = FilterField.impulse(sampleRate: .studio)
        let places: [Direction<Stage>?] = try Layout.named("5.1").loudspeakers.map {
            $0.motion == .tracked ? $0.direction : nil
        }
        let (room, report) = try RoomResponses.prepare(views, for: places, heardThrough: field)
        #expect(room.assignment == [0, 1, 2, nil, 3, 4])
        for source in 0..<room.sourceCount {
            for ear in 0..<2 { #expect(room.response(source: source, yaw: 0, ear: ear).contains { $0 != 0 }) }
        }
        #expect(abs(report.cut * 48_000 - (2000 - field.onsetFrames)) < 1)
        try folder.write("silent-HeSuVi.wav", channels: 14, silent: Set(0..<14))
        #expect(complaint { try RoomRecordings.file(folder.path + "/silent-HeSuVi.wav") }.contains("is silent"))
    }

    @Test("a file in the main layout's order plays with a further input")
    func furtherInputs() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("room.wav", channels: 12, frames: 256)
        var settings = StageSettings(layout: "5.1")
        settings.programmes.inputs = [try InputSettings(parsing: "talk=stereo")]
        let layout = try settings.layout(named: "5.1")
        let inputs = try ProgrammeAssembly(settings, layout: layout)
        let loaded = try RoomLoading.load(
            RoomSettings(name: folder.path + "/room.wav"), inputs.roomPlaces, main: inputs.mainPlaces, layout: layout,
            field: .impulse(sampleRate: .studio), by: InProcessReader())
        let room = try #require(loaded?.responses)
        #expect(room.assignment == [0, 1, 2, nil, 3, 4, 0, 1])
    }

    @Test("a folder holds head yaws by the numbers its names end in")
    func byYaw() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for (index, yaw) in [0, 30, -30].enumerated() {
            try folder.write("kitchen2_\(yaw).wav", channels: 2, frames: 32 + index, add: Float(10 * index))
        }
        let views = try RoomRecordings.folder(folder.path)
        #expect(views.sources.count == 1 && views.sampleCount == 34, "the longest counts")
        let byYaw = views.sources[0].views.sorted { $0.yaw < $1.yaw }
        #expect(byYaw.map { Int(($0.yaw * 180 / .pi).rounded()) } == [-30, 0, 30])
        #expect(try byYaw.map { try views.read($0.key, views.sampleCount).left[3] } == [21, 1, 11])
    }

    @Test("takes of a measurement are no responses, though their names end in yaws")
    func takes() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("look_30.wav", channels: 2)
        #expect(try RoomRecordings.folder(folder.path).sources.count == 1)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.path + "/sweeps.json"))
        #expect(complaint { try RoomRecordings.folder(folder.path) }.contains("name the room made of them"))
    }

    @Test("every sound format makes a room, and of a file that is cut off this is told")
    func formats() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for (yaw, ending) in SoundFileFormat.extensions.enumerated() {
            try folder.write("yaw\(yaw)\(ending)", channels: 2, add: -0.5)
        }
        let views = try RoomRecordings.folder(folder.path)
        #expect(views.sources[0].views.count == SoundFileFormat.extensions.count)
        #expect(!views.remarks.contains { $0.contains("cut off") })
        let path = folder.path + "/yaw0.wav"
        try Data(contentsOf: URL(fileURLWithPath: path)).dropLast(80).write(to: URL(fileURLWithPath: path))
        #expect(try RoomRecordings.file(path).remarks.contains { $0.contains("yaw0.wav is cut off") })
        // Responses of headphones give the same remark.
        #expect(try HeadphoneLoading.equaliser(at: path).remarks.contains { $0.contains("yaw0.wav is cut off") })
        #expect(
            try HeadphoneLoading.equaliser(at: folder.path + "/yaw3.bw64").remarks.allSatisfy { !$0.contains("cut") })
    }

    @Test("two files of one yaw are refused")
    func sameYaw() throws {
        let folder = try Folder()
        defer { folder.remove() }
        for name in ["a_30_48k.wav", "a_60_48k.wav"] { try folder.write(name, channels: 2, add: 0) }
        let error = #expect(throws: RoomError.self) { try RoomRecordings.folder(folder.path) }
        #expect(error?.description.contains("as a_30_48k.wav does") == true)
    }

    @Test(
        "yaws are read from names",
        arguments: [
            ("yaw030", 30.0), ("brir_-45", -45), ("x12_7.5deg", 7.5), ("brir.30", 30), ("brir.-30", -30), ("a-b", nil),
            ("take999", nil),
        ])
    func names(_ name: String, _ yaw: Double?) { #expect(RoomRecordings.yaw(in: name) == yaw) }

    @Test("what is no room is refused with the file's name and what was expected")
    func faults() throws {
        let folder = try Folder()
        defer { folder.remove() }
        #expect(complaint { try RoomRecordings.folder(folder.path) }.contains("no sound files"))
        try folder.write("odd_0.wav", channels: 3)
        #expect(complaint { try RoomRecordings.file(folder.path + "/odd_0.wav") }.contains("3 channels"))
        try folder.write("odd_10.wav", channels: 2)
        #expect(complaint { try RoomRecordings.folder(folder.path) }.contains("odd_0.wav"))
        #expect(complaint { try RoomRecordings.file(folder.path + "/none.wav") }.contains("no such file"))
    }
}
