import Testing

@testable import NSM

@Suite struct NSMAddressTests {
    @Test func addressesAreReadAsManagersWriteThem() throws {
        let address = try #require(NSMAddress("osc.udp://box.local:14735/"))
        #expect(address.host == "box.local" && address.port == 14_735)
        #expect(address.description == "osc.udp://box.local:14735/")
        #expect(NSMAddress("osc.udp://127.0.0.1:1")?.host == "127.0.0.1")
        let six = try #require(NSMAddress("osc.udp://[::1]:99/"))
        #expect(six.host == "::1" && six.description == "osc.udp://[::1]:99/")
    }

    @Test func whatIsNoAddressIsNone() {
        for text in [
            "", "osc.udp://", "osc.udp://host/", "osc.udp://:14735/", "osc.udp://host:0/", "osc.udp://host:65536/",
            "osc.udp://host:x/", "osc.tcp://host:14735/", "http://host:14735/", "osc.udp://a b:1/",
            "osc.udp://host:14735/path", "osc.udp://a/b:3/",
        ] {
            #expect(NSMAddress(text) == nil, "\(text)")
        }
    }
}
