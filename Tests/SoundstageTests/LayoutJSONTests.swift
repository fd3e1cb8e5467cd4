import AbsentPlaces
import Foundation
import Signal
import Testing

@testable import Soundstage

@Suite struct LayoutJSONTests {
    private func read(_ text: String) throws(SoundstageError) -> Layout {
        try Layout(json: [UInt8](text.utf8), source: "mine.json")
    }

    @Test func readsEveryKey() throws {
        let layout = try read(
            """
            {"name": "booth", "loudspeakers": [
              {"name": "FL", "azimuth": 30}, {"name": "t", "pretty": "Talkback", "azimuth": -90.5, "elevation": 10,
               "gain": -6, "width": 40, "distance": 0.4, "motion": "fixed"}, {"name": "LFE", "lfe": true}]}
            """)
        #expect(layout.name == "booth")
        #expect(layout.loudspeakers[0].prettyName == "Front Left")
        let talkback = layout.loudspeakers[1]
        #expect(talkback.prettyName == "Talkback" && talkback.azimuthDegrees == -90.5)
        #expect(talkback.elevationDegrees == 10 && talkback.gain == Decibels(-6) && talkback.motion == .fixed)
        #expect(talkback.widthDegrees == 40 && layout.loudspeakers[0].widthDegrees == 0)
        #expect(talkback.distance == 0.4 && layout.loudspeakers[0].distance == nil)
        #expect(layout.loudspeakers[2].isLowFrequency && layout.loudspeakers[2].motion == .direct)
    }

    @Test(arguments: [
        ("{\"name\": 3, \"loudspeakers\": []}", "name"),
        ("{\"loudspeakers\": []}", "name"),
        ("{\"name\": \"x\"}", "loudspeakers"),
        ("{\"name\": \"x\", \"loudspeakers\": []}", "loudspeakers"),
        ("{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\"}]}", "loudspeakers[0].azimuth"),
        ("{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\", \"azimut\": 3}]}", "loudspeakers[0].azimut"),
        ("{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a b\", \"azimuth\": 3}]}", "loudspeakers[0].name"),
        (
            "{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\", \"azimuth\": 3}, {\"name\": \"a\", \"azimuth\": 4}]}",
            "loudspeakers[1].name"
        ),
        ("{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\", \"azimuth\": 300}]}", "loudspeakers[0].azimuth"),
        (
            "{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\", \"azimuth\": 3, \"distance\": 0.1}]}",
            "loudspeakers[0].distance"
        ),
        (
            "{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\", \"azimuth\": 3, \"distance\": 1, \"motion\": \"direct\"}]}",
            "loudspeakers[0].distance"
        ),
        ("{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\", \"azimuth\": true}]}", "loudspeakers[0].azimuth"),
        (
            "{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\", \"azimuth\": 0, \"motion\": \"still\"}]}",
            "loudspeakers[0].motion"
        ),
        (
            "{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\", \"azimuth\": 0, \"width\": 181}]}",
            "loudspeakers[0].width"
        ),
        (
            "{\"name\": \"x\", \"loudspeakers\": [{\"name\": \"a\", \"lfe\": true, \"width\": 9}]}",
            "loudspeakers[0].width"
        ),
        ("[]", "the file"),
    ])
    func saysWhichKeyIsAtFault(text: String, key: String) throws {
        let error = try #require(throws: SoundstageError.self) { try read(text) }
        guard case .invalid(_, let found, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(found == key)
    }

    @Test func saysWhereTheTextIsNoJSON() throws {
        let error = try #require(throws: SoundstageError.self) { try read("{\n  \"name\": ,\n}") }
        #expect("\(error)".contains("mine.json is not valid JSON"))
        #expect("\(error)".contains("line 2"))
        let path = AbsentPlace.path("x.json")
        let missing = try #require(throws: SoundstageError.self) { try Layout(jsonAt: path) }
        #expect("\(missing)" == "cannot read layout \(path): No such file or directory")
    }

    @Test func theExamplesAreValid() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Examples/layouts")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(files.count >= 3)
        for file in files { _ = try Layout(jsonAt: folder.appendingPathComponent(file).path) }
    }
}
