import AudioIO
import Foundation
import Signal
import Soundstage
import Sweeps
import Testing

@testable import Measurement

@Suite("Texts of sweeps")
struct PlayedSweepsTests {
    private static func sweeps(_ layout: String = "5.1") throws -> PlayedSweeps {
        try PlayedSweeps(try Layout.named(layout), sampleRate: .studio, seconds: 2, decay: 0.5, level: -20)
    }

    private static func temporary(_ name: String) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("prosc-\(UUID().uuidString)-\(name)").path
    }

    @Test("a text is read as it was written")
    func readBack() throws {
        let path = Self.temporary("sweeps.json")
        defer { unlink(path) }
        let sweeps = try Self.sweeps()
        #expect(sweeps.loudspeakers.map(\.symbol) == ["FL", "FR", "FC", "SL", "SR"])
        try sweeps.text.write(to: URL(fileURLWithPath: path))
        let read = try PlayedSweeps(contentsOf: path)
        #expect(read.text == sweeps.text && read.seconds == 2 && read.level == -20 && !read.isSynchronous)
        let (plan, other) = (try sweeps.plan(), try read.plan())
        #expect(plan.parts == other.parts && plan.frames == other.frames && plan.sweep.samples == other.sweep.samples)
    }

    @Test(
        "a text at fault is refused, with the key",
        arguments: [
            ("\"decay\" : 0.5", "\"decay\" : -1", "decay"), ("\"rate\" : 48000", "\"rate\" : 1e99", "rate"),
            ("\"seconds\" : 2", "\"seconds\" : \"2\"", "seconds"), ("\"version\" : 1", "\"version\" : 9", "version"),
            ("\"name\" : \"FR\"", "\"name\" : \"FL\"", "twice"), ("\"level\"", "\"loud\"", "loud"),
            ("\"azimuth\" : 30", "\"azimuth\" : 400", "azimuth"),
        ])
    func refused(_ what: String, _ by: String, _ word: String) throws {
        let text = String(decoding: try Self.sweeps().text, as: UTF8.self)
        let changed = text.replacing(what, with: by, maxReplacements: 1)
        #expect(changed != text)
        let path = Self.temporary("sweeps.json")
        defer { unlink(path) }
        try Data(changed.utf8).write(to: URL(fileURLWithPath: path))
        #expect {
            try PlayedSweeps(contentsOf: path)
        } throws: {
            "\($0)".contains(word)
        }
    }

    @Test("the sound file has the layout's channels; low-frequency channels are silent")
    func sound() throws {
        let path = Self.temporary("sweeps.wav")
        defer { for path in [path, SweepFile.text(of: path)] { unlink(path) } }
        let (sweeps, layout) = (try Self.sweeps(), try Layout.named("5.1"))
        let report = try SweepFile.write(sweeps, layout: layout, to: path) { _ in false }
        #expect(report.loudspeakers.count == 5 && report.spacing >= 0.5)
        let (rows, rate) = try TakeReading.rows(path)
        #expect(rate == .studio && rows.count == 6)
        let peaks = rows.map { 20 * log10(max(1e-9, Double($0.reduce(0) { max($0, abs($1)) }))) }
        #expect(peaks[3] < -170)
        for place in [0, 1, 2, 4, 5] { #expect(abs(peaks[place] + 20) < 0.1) }
        #expect(try PlayedSweeps(contentsOf: SweepFile.text(of: path)).text == sweeps.text)
        // Existing files stay.
        #expect(throws: ResponseError.self) { try SweepFile.write(sweeps, layout: layout, to: path) { _ in false } }
    }

    @Test("the yaw is the number behind the last mark of a name")
    func yaws() {
        let names = [("look_30", 30.0), ("look_-15.5", -15.5), ("look", 0), ("my_room", 0), ("take_2_-30", -30)]
        for (name, yaw) in names {
            #expect(TakeFileName.yaw(in: name) == yaw, "\(name)")
        }
        for name in ["look_400", "look_0_bad", "take_2_left", "look30", "look_30°", "look_3-0"] {
            #expect(TakeFileName.yaw(in: name) == nil, "\(name)")
        }
    }

    @Test("files whose names are not those of takes are listed, before any is read")
    func strangers() throws {
        let plan = Self.temporary("sweeps.json")
        defer { unlink(plan) }
        try Self.sweeps().text.write(to: URL(fileURLWithPath: plan))
        let takes = ["look_0.wav", "look_0_bad.wav", "take2.wav"]
        let error = #expect(throws: ResponseError.self) {
            try ResponseMeasurement(takes: takes, played: .plan(path: plan)).run(
                room: plan + ".sofa", head: nil, replaces: { _ in false }, progress: { _ in true })
        }
        #expect(error?.description.hasPrefix("look_0_bad.wav, take2.wav: ") == true, "\(String(describing: error))")
    }
}
