import AudioIO
import Gate
import SavedSessions
import SoundFixtures
import Stages
import StoredProperties
import Testing

/// The reader and the writer of a saved session name its sections.
@Suite struct SavedPropertiesTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `Every property of a saved session is written and read`() throws {
        var file = SavedSession.UsedFile(path: "/one.txt", hash: "00ff", link: "eq-one.txt", named: "one.txt")
        (file.parts, file.others) = (["left.wav": "01fe"], ["later": .text("key")])
        let noFile = SavedSession.UsedFile(path: "", hash: "", link: "", named: "")
        #expect(StoredProperties.same(file, noFile).isEmpty)
        var saved = SavedSession()
        saved.options = ["http": .text("8080")]
        saved.state = [
            "layout": .word("5.1"), "input/main/level": .number(-3), "input/main/mode-before": .word("fixed"),
        ]
        (saved.client, saved.links) = ("proscenium", [JACKLink(from: "a:b", to: ":in_FL")])
        (saved.scene, saved.scenes) = ("b", ["a": ["layout": .word("7.1")]])
        saved.used = ["headphone-eq": file]
        (saved.trackers, saved.others) = (["usb": .object(["bias": .text("x")])], ["later": .text("key")])
        // A new property needs a value above, and a section of the file. These describe how a file was read.
        let left = ["isTemplate", "step", "remarks", "unread", "unreadLinks"]
        #expect(StoredProperties.same(saved, SavedSession()).sorted() == left.sorted())
        let folder = try scratch.session("{}")
        try saved.write(to: folder)
        #expect(try SavedSession(folder: folder) == saved)
    }
}
