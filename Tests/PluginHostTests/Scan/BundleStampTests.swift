import AbsentPlaces
import Foundation
import PluginHost
import SoundFixtures
import Testing

@Suite struct BundleStampTests {
    private func write(_ path: String, _ text: String = "x") throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    @Test func `It changes with any Turtle or binary, and with nothing else`() throws {
        let folder = try Scratch()
        try FileManager.default.createDirectory(atPath: folder("presets"), withIntermediateDirectories: true)
        for name in ["manifest.ttl", "plugin.so", "presets/one.ttl", "readme.txt"] { try write(folder(name)) }
        let first = try #require(BundleStamp.of(bundle: folder.path))
        #expect(BundleStamp.of(bundle: folder.path) == first)
        try write(folder("readme.txt"), "more")
        #expect(BundleStamp.of(bundle: folder.path) == first)
        var seen = [first]
        for name in ["manifest.ttl", "plugin.so", "presets/one.ttl"] {
            try write(folder(name), "more")
            seen.append(try #require(BundleStamp.of(bundle: folder.path)))
        }
        // The file has the same size and another time.
        let past = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1e9)]
        try FileManager.default.setAttributes(past, ofItemAtPath: folder("plugin.so"))
        seen.append(try #require(BundleStamp.of(bundle: folder.path)))
        try FileManager.default.removeItem(atPath: folder("presets/one.ttl"))
        seen.append(try #require(BundleStamp.of(bundle: folder.path)))
        #expect(Set(seen).count == seen.count)
    }

    @Test func `There is none of a folder that is not there`() {
        #expect(BundleStamp.of(bundle: AbsentPlace.path("x.lv2")) == nil)
        #expect(BundleStamp.of(file: AbsentPlace.path("x")).isEmpty)
    }

    @Test func `A link in a circle ends`() throws {
        let folder = try Scratch()
        try write(folder("manifest.ttl"))
        try FileManager.default.createSymbolicLink(atPath: folder("round"), withDestinationPath: folder.path)
        #expect(BundleStamp.of(bundle: folder.path) != nil)
    }
}
