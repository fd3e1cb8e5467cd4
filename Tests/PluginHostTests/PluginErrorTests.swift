import PluginHost
import Testing

@Suite struct PluginErrorTests {
    @Test func `An unknown control is answered with those there are`() {
        let error = PluginError.noControl(identifier: "urn:eq", symbol: "gian", known: ["gain", "q"])
        #expect(error.description == "plugin urn:eq has no control 'gian'; it has gain, q")
    }
}
