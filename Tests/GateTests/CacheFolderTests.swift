import Gate
import Testing

@Suite struct CacheFolderTests {
    @Test func theUsualPlaceFollowsTheEnvironment() {
        func folder(_ environment: [String: String]) -> String { CacheFolder.path { environment[$0] } }
        #expect(folder(["HOME": "/home/ear"]) == "/home/ear/.cache/proscenium")
        #expect(folder(["HOME": "/home/ear", "XDG_CACHE_HOME": "/fast"]) == "/fast/proscenium")
        #expect(folder(["HOME": "/home/ear", "XDG_CACHE_HOME": "fast"]) == "/home/ear/.cache/proscenium")
        #expect(folder(["PROSCENIUM_CACHE": "here", "XDG_CACHE_HOME": "/fast"]) == "here")
        #expect(folder([:]).hasSuffix("/.cache/proscenium") && folder([:]).hasPrefix("/"))
    }
}
