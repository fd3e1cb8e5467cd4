import Foundation
import PlantedPlugins
import SoundFixtures
import Testing

/// `proscenium plugin` as a user meets it, with planted plugins and a cache of its own.
@Suite struct PluginCommandTests {
    private let cache: Scratch

    init() throws { cache = try Scratch() }

    private func run(_ folder: String, _ words: String...) throws -> Run {
        try Run(["plugin"] + words, environment: ["LV2_PATH": folder, "PROSCENIUM_CACHE": cache.path])
    }

    private func json(_ run: Run) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test func `list has a row for each plugin, and words leave out others`() throws {
        let all = try run(PlantedPlugins.sound(), "list")
        #expect(all.status == 0 && all.complaints.isEmpty)
        let rows = all.output.split(separator: "\n")
        #expect(rows.count == 7 && rows[0].hasPrefix("Name"))
        let delay = try #require(rows.first { $0.hasPrefix("Planted delay") })
        #expect(delay.contains("1→1") && delay.contains("reported") && delay.hasSuffix("urn:proscenium:planted:delay"))
        #expect(try #require(rows.first { $0.hasPrefix("Planted twelve") }).contains("12→12"))
        let some = try run(PlantedPlugins.sound(), "list", "PLANTED", "twel")
        #expect(some.output.split(separator: "\n").count == 2 && some.output.contains("Planted twelve"))
        let none = try run(PlantedPlugins.sound(), "list", "nothing-like-it")
        #expect(none.status == 0 && none.output.isEmpty && none.complaints == ["no plugin has these words"])
    }

    @Test func `list starts no process once everything is known, and one for what has changed`() throws {
        let folder = try Scratch()
        for name in ["gain.lv2", "delay.lv2"] {
            try FileManager.default.copyItem(atPath: PlantedPlugins.sound() + "/" + name, toPath: folder(name))
        }
        func children() throws -> Int? {
            try json(run(folder.path, "list", "--json"))["children"] as? Int
        }
        #expect(try children() == 1)
        #expect(try children() == 0)
        let turtle = folder("gain.lv2/plugin.ttl")
        let text = try String(contentsOfFile: turtle, encoding: .utf8)
        try text.replacing("Planted gain", with: "Another gain").write(
            toFile: turtle, atomically: true, encoding: .utf8)
        let listing = try json(run(folder.path, "list", "--json"))
        let names = (listing["plugins"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(names == ["Another gain", "Planted delay"] && listing["children"] as? Int == 1)
        #expect(try json(run(folder.path, "list", "--json", "--rescan"))["children"] as? Int == 1)
    }

    @Test func `list names those that are refused, bundles at fault and what is hidden, with reasons`() throws {
        let found = try run(PlantedPlugins.faulty(), "list")
        #expect(found.status == 0)
        for line in [
            "urn:proscenium:planted:missing-name: it has no name", "bad-manifest.lv2: manifest.ttl, line",
            "urn:proscenium:planted:versions in ",
        ] { #expect(found.output.contains(line), "\(found.output)") }
    }

    @Test func `A broken cache is said to be so, once`() throws {
        _ = try run(PlantedPlugins.sound(), "list")
        let folder = cache("plugins")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        try "nonsense".write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
        let told = try run(PlantedPlugins.sound(), "list")
        #expect(told.complaints.count == 1 && told.complaints.first?.contains("could not be understood") == true)
        #expect(told.output.split(separator: "\n").count == 7)
        #expect(try run(PlantedPlugins.sound(), "list").complaints.isEmpty)
    }

    @Test func `info says what a plugin has, in words and as JSON`() throws {
        let filter = try run(PlantedPlugins.sound(), "info", PlantedPlugins.uri("filter"))
        #expect(filter.status == 0)
        for words in ["20…20000", "logarithmic; default 1000", "one of 0 Low-pass, 1 High-pass; default 0"] {
            #expect(filter.output.contains(words), "\(filter.output)")
        }
        let gain = try json(run(PlantedPlugins.sound(), "info", PlantedPlugins.uri("gain"), "--json"))
        let control = try #require((gain["controls"] as? [[String: Any]])?.first)
        #expect(control["symbol"] as? String == "gain" && control["range"] as? [Double] == [0, 4])
        #expect((gain["presets"] as? [Any])?.count == 2)
        let presets = try run(PlantedPlugins.sound(), "presets", PlantedPlugins.uri("gain"))
        #expect(presets.output.contains("Double  urn:proscenium:planted:gain:double"))
    }

    @Test(arguments: ["info", "presets", "test"]) func `A URI that no plugin has is answered with those near it`(
        command: String
    ) throws {
        let found = try run(PlantedPlugins.sound(), command, "urn:proscenium:planted:gian")
        #expect(found.status == 2 && found.output.isEmpty)
        #expect(found.complaints.first?.contains("do you mean urn:proscenium:planted:gain") == true)
    }

    @Test func `test answers with its exit code`() throws {
        let well = try run(PlantedPlugins.sound(), "test", "--all")
        #expect(well.status == 0 && well.output.contains("6 ok, 0 refused, 0 failed, 0 crashed, 0 hung"))
        let crash = try run(PlantedPlugins.harmful(), "test", PlantedPlugins.uri("crash-loading"))
        #expect(crash.status == 1 && crash.output.hasPrefix("crashed: Planted crash-loading: in making an instance"))
        let none = try run(PlantedPlugins.sound(), "test")
        #expect(none.status == 2 && none.complaints.contains { $0.contains("Name a plugin, or add --all") })
    }

    @Test func `test --all goes on after every crash`() throws {
        let folder = try Scratch()
        let names = ["abort", "crash-instantiating", "crash-loading", "not-a-number", "unheard-of"]
        for name in names {
            try FileManager.default.copyItem(
                atPath: PlantedPlugins.harmful() + "/\(name).lv2", toPath: folder("\(name).lv2"))
        }
        let found = try run(folder.path, "test", "--all", "--json")
        let reports = try JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [[String: Any]]
        #expect(found.status == 1)
        #expect(
            reports?.map { $0["verdict"] as? String } == ["crashed", "crashed", "crashed", "failed", "refused"])
    }
}
