import Desk
import Gate
import OSC
import Stages
import Testing

@testable import Control

/// The address tree of OSC Query.
@Suite struct OSCQueryTests {
    private static let state = SessionState(
        values: [
            "mode": .word("tracked"), "input/main/level": .numbers([-3]), "loudspeaker/FL/mute": .word("off"),
            "plugin/amp/bypass": .word("off"), "plugin/amp/set/gain": .numbers([1]), "layout": .word("5.1"),
            "measurement/phase": .word("turning"),
        ], revision: 1)

    private static func node(_ address: String) -> JSONValue? {
        OSCQuery.node(at: "/proscenium/" + address, in: state)
    }

    @Test(arguments: Parameter.all) func everyParameterIsInIt(_ parameter: Parameter) throws {
        let node = try #require(Self.node(parameter.id))
        #expect(node["FULL_PATH"]?.text == "/proscenium/" + parameter.id)
        #expect(node["DESCRIPTION"]?.text?.hasPrefix(parameter.help) == true)
        #expect((node["ACCESS"]?.number ?? 0) >= 2)
        if !parameter.numbers.isEmpty { #expect(node["RANGE"] != nil && node["UNIT"] != nil) }
    }

    @Test(arguments: Command.rows(of: .desk)) func everyCommandIsInIt(_ row: Command) throws {
        let address = row.id.replacing("NAME", with: "amp")
        let node = try #require(Self.node(address), "\(address)")
        #expect(node["FULL_PATH"]?.text == "/proscenium/" + address && node["DESCRIPTION"]?.text?.isEmpty == false)
    }

    @Test(arguments: Command.rows(of: .desk)) func aCommandHasTheTypesAndRangesOfItsArguments(_ row: Command) throws {
        let address = row.id.replacing("NAME", with: "amp")
        let node = try #require(Self.node(address))
        if row.button == .state, node["ACCESS"]?.number == 2 { #expect(node["TYPE"]?.text == "T") }
        guard !row.ranges.isEmpty else { return }
        #expect(node["TYPE"]?.text?.count == row.ranges.count)
        guard case .list(let ranges)? = node["RANGE"] else {
            Issue.record("\(address) has no range")
            return
        }
        #expect(ranges.compactMap { $0["MIN"]?.number } == row.ranges.map(\.lowerBound))
        // The command takes both ends.
        for values in [row.ranges.map(\.lowerBound), row.ranges.map(\.upperBound)] {
            switch Command.read(address, values.map { .number($0) }) {
            case .command, .door: break
            case .nothing, .refused, nil: Issue.record("\(address) does not take \(values)")
            }
        }
    }

    @Test func theCommandsOfAMeasurementAreInItWhereOneIs() throws {
        var state = Self.state
        state.values["measurement/phase"] = nil
        #expect(OSCQuery.node(at: "/proscenium/measure/begin", in: state) == nil)
        #expect(OSCQuery.node(at: "/proscenium/calibrate/step", in: state) != nil)
        let fact = try #require(Self.node("measurement/phase"))
        #expect(fact["ACCESS"]?.number == 1 && fact["VALUE"] == .list([.text("turning")]))
    }

    @Test func valuesAndFactsAreInItToo() throws {
        #expect(try #require(Self.node("input/main/level"))["VALUE"] == .list([.number(-3)]))
        #expect(try #require(Self.node("loudspeaker/FL/mute"))["TYPE"]?.text == "T")
        // An address with a value has VALUE, even if it is also a command.
        #expect(try #require(Self.node("plugin/amp/bypass"))["VALUE"] != nil)
        #expect(Self.node("plugin/other/remove") == nil && Self.node("nothing") == nil)
        #expect(OSCQuery.node(at: "/", in: SessionState()) != nil)
    }
}
