import Desk
import Racks
import Stages
import Testing

/// The text of an address and its parts.
@Suite struct StateAddressTests {
    private static let texts = [
        "mode", "record", "input/main/level", "input/main/mode-before",
        "input//level", "loudspeaker/FL/mute", "plugin/eq/bypass",
        "plugin/eq/set/gain", "plugin/eq/set/http://example.org/ns#gain", "plugin/eq/set/", "plugin/eq", "player/gain",
        "calibration/of", "input/a/b/c", "", "/",
    ]

    @Test(arguments: texts) func `The parts of an address make its text again`(_ text: String) {
        #expect(StateAddress(text).text == text)
    }

    @Test func `A plugin's property is a URI with slashes`() {
        #expect(
            StateAddress("plugin/eq/set/http://example.org/ns#gain")
                == .control(plugin: "eq", symbol: "http://example.org/ns#gain"))
        for text in ["plugin/eq/set/", "plugin//set/gain", "plugin/eq", "input//level", "player/gain"] {
            #expect(StateAddress(text) == .fact(text))
            #expect(!StateAddress(text).isKept)
        }
    }

    @Test(arguments: Parameter.all) func `An address of each parameter leads back to its row, and sets it`(
        _ parameter: Parameter
    ) throws {
        let name = parameter.isOfLoudspeakers ? "FL" : parameter.isOfInputs ? "main" : nil
        let written = parameter.words.first.map { [$0] } ?? parameter.numbers.map { "\($0.range.lowerBound)" }
        let legal = try parameter.value(of: written.isEmpty ? ["some.text"] : written)
        let change = ParameterChange(parameter, legal, input: name)
        let address = StateAddress(StateAddress(of: change).text)
        #expect(address.parameter == parameter)
        #expect(address.subject == name)
        #expect(address.isKept == !parameter.traits.contains(.isMomentary))
        #expect(try address.command(legal) == .set(change))
    }

    @Test func `A command reads the values of its row`() throws {
        #expect(try StateAddress("plugin/eq/bypass").command(.word("toggle")) == .plugin(.bypass("eq", nil)))
        #expect(try StateAddress("plugin/eq/bypass").command(.word("on")) == .plugin(.bypass("eq", true)))
        let uri = "http://example.org/ns#gain"
        #expect(
            try StateAddress("plugin/eq/set/\(uri)").command(.number(0.5))
                == .plugin(.set("eq", symbol: uri, value: "0.5")))
        #expect(
            Command.read("plugin/eq/set/\(uri)", [.number(0.5)])
                == .command(.plugin(.set("eq", symbol: uri, value: "0.5"))))
        #expect(throws: ParameterError.self) { try StateAddress("input/main/gain").command(.number(3)) }
    }

    @Test func `A mode before a comparison is kept, and no door is told it or sets it`() throws {
        let address = StateAddress("input/main/mode-before")
        #expect(address == .modeBefore("main") && address.subject == "main" && address.parameter == nil)
        #expect(address.isKept && !address.isTold && StateAddress("input/main/mode").isTold)
        #expect(try address.command(.word("fixed")) == nil)
    }

    @Test func `Mute, solo and polarity of a loudspeaker are switches`() {
        for word in ["mute", "solo", "polarity", "test-noise"] {
            #expect(StateAddress("loudspeaker/FL/\(word)").isSwitch)
        }
        #expect(!StateAddress("input/main/level").isSwitch && StateAddress("plugin/eq/bypass").isSwitch)
    }
}
