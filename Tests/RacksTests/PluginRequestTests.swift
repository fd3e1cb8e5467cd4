import Foundation
import Gate
import Loading
import Racks
import StoredProperties
import Testing

@Suite struct PluginRequestTests {
    @Test func `A request says where, which, and how it begins`() throws {
        let request = try PluginRequest(
            parsing: "talk/FL=http://gareus.org/oss/lv2/fil4#mono,preset=Warm,gain=-3.5,bypass=yes,name=eq,isolate=no")
        #expect(request.place == "talk/FL" && request.identifier == "http://gareus.org/oss/lv2/fil4#mono")
        #expect(request.preset == "Warm" && request.isBypassed && !request.isIsolated && request.name == "eq")
        #expect(request.controls == [PluginRequest.Control(symbol: "gain", value: "-3.5")])
        #expect(try PluginRequest(parsing: request.written) == request)
    }

    @Test func `A typed request has the saved preset and values that it does not set itself`() throws {
        let saved = try PluginRequest(parsing: "main=urn:a,preset=Warm,gain=1,mix=2")
        for (typed, whole) in [
            ("main=urn:a,gain=3", "main=urn:a,preset=Warm,mix=2,gain=3"),
            ("main=urn:a,preset=Cold,gain=3", "main=urn:a,preset=Cold,gain=3"),
            ("main=urn:a,state=/there", "main=urn:a,state=/there"),
        ] {
            var request = try PluginRequest(parsing: typed)
            request.takeUp(saved)
            #expect(request.written == whole)
        }
    }

    @Test func `Saved chains have every property of a request, except the place of its state`() throws {
        var request = PluginRequest(place: "talk/FL", identifier: "urn:x:rare")
        (request.name, request.preset, request.isBypassed, request.isIsolated) = ("rare", "Warm", true, true)
        request.controls = [PluginRequest.Control(symbol: "gain", value: "-3.0")]
        request.others = ["later": .text("version")]
        // A new property needs a value above, and a key in `SavedChains.Plugin`. The last two are of typed requests.
        let left = ["state", "keeper", "isSaidActive", "isSaidShared"]
        #expect(StoredProperties.same(request, PluginRequest(place: "", identifier: "")) == left)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chains-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SavedChains(plugins: [SavedChains.Plugin(request)]).write(to: folder)
        #expect(try SavedChains.requests(in: folder) == [request])
    }

    @Test(arguments: [
        ("nothing", "does not say where a plugin goes"), ("main=", "names no plugin"),
        ("main=urn:a,gain", "'gain' in"), ("main=urn:a,bypass=maybe", "it takes yes or no"),
        ("main=urn:a,name=two words", "is no name of a plugin"),
    ]) func `What is no request is refused for its reason`(words: String, reason: String) {
        let error = #expect(throws: SessionError.self) { try PluginRequest(parsing: words) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test(arguments: [
        ("http://lv2plug.in/plugins/eg-amp", "eg-amp"), ("http://gareus.org/oss/lv2/dpl#stereo", "dpl-stereo"),
        ("urn:ardour:a-eq", "a-eq"), ("###", "plugin"),
    ]) func `A plugin is named after its identifier`(identifier: String, name: String) {
        #expect(PluginRequest(place: "main", identifier: identifier).nameFromIdentifier == name)
    }
}
