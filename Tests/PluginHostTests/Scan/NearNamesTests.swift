import Testing

@testable import PluginHost

@Suite struct NearNamesTests {
    private let entries = [
        ("urn:example:limiter", "Fast Limiter"), ("urn:example:limiter#stereo", "Fast Limiter Stereo"),
        ("http://example.org/reverb", "Hall"), ("http://example.org/gate", "Noise Gate"),
    ].map { (identifier: $0.0, name: $0.1) }

    @Test(arguments: [
        ("urn:example:limitr", "urn:example:limiter"), ("URN:EXAMPLE:LIMITER", "urn:example:limiter"),
        ("limiter#stereo", "urn:example:limiter#stereo"), ("hall", "http://example.org/reverb"),
        ("noise gaet", "http://example.org/gate"),
    ])
    func `The likeliest comes first`(word: String, meant: String) {
        #expect(NearNames.near(word, among: entries).first == meant)
    }

    @Test func `What is like nothing has nothing near`() {
        #expect(NearNames.near("xyzzy-plugh", among: entries).isEmpty)
        #expect(NearNames.near("", among: entries).isEmpty)
    }

    @Test func `At most three are near`() {
        let many = (0..<9).map { (identifier: "urn:x:\($0)", name: "x") }
        #expect(NearNames.near("urn:x:10", among: many).count == 3)
    }
}
