import Testing

@testable import Desktop

@Suite struct DesktopWiringTests {
    private let sink: DesktopSink
    private var fixture = GraphFixture()
    private var wiring: DesktopWiring

    init() throws {
        sink = try DesktopSink(layout: "5.1")
        wiring = DesktopWiring(sink, to: DesktopOutput(name: "pci", description: "Built-in"), process: 4711)
    }

    /// Id of a link that `perform` makes.
    private static func id(_ output: Int, _ input: Int) -> Int { 10_000 + output * 100 + input }

    /// Carries the steps out in the graph; returns the steps.
    private mutating func perform() -> [DesktopWiring.Step] {
        let steps = wiring.look(at: fixture.graph)
        for step in steps {
            switch step {
            case .link(let output, let input):
                fixture.addLink(Self.id(output, input), output, input)
                wiring.answered(output: output, input: input, isMade: true)
            case .unlink(let id): fixture.remove(id)
            case .say, .keepChannels: break
            }
        }
        return steps
    }

    private mutating func furnish() {
        fixture.addSink(200, sink.name, sink.description, positions: sink.channels.map(\.position))
        fixture.addSink(100, "pci", "Built-in", GraphFixture.card)
        fixture.setCard(40, port: "analog-output-headphones", type: "headphones")
        fixture.addSession(sink)
    }

    @Test mutating func channelsGoToTheInputsOfTheirNamesAndEarsToTheHeadphones() {
        furnish()
        let steps = perform()
        // Monitor ports of 5.1 are 207…212: FL FR FC LFE RL RR; inputs 501…506: FL FR FC LFE SL SR.
        let inputs: [DesktopWiring.Step] = (0..<6).map { .link(output: 207 + $0, input: 501 + $0) }
        #expect(steps == inputs + [.link(output: 590, input: 101), .link(output: 591, input: 102)])
        #expect(perform() == [])
        #expect(DesktopWiring.isComplete(sink, wiring.output, in: fixture.graph))
    }

    @Test mutating func aRequestIsNotRepeatedUntilItWasTried() {
        furnish()
        _ = wiring.look(at: fixture.graph)
        #expect(wiring.look(at: fixture.graph) == [])
        wiring.answered(output: 208, input: 502, isMade: true)
        #expect(wiring.look(at: fixture.graph) == [.link(output: 208, input: 502)])
        // After a failure the ears are linked too, where they are not.
        wiring.answered(output: 590, input: 101, isMade: false)
        #expect(wiring.look(at: fixture.graph) == [.link(output: 590, input: 101)])
    }

    @Test mutating func anInputThatIsUnlinkedIsLinkedAgainAnEarIsNot() {
        furnish()
        _ = perform()
        fixture.remove(Self.id(207, 501))
        fixture.remove(Self.id(590, 101))
        #expect(perform() == [.link(output: 207, input: 501)])
    }

    @Test mutating func headphonesThatComeBackAreLinkedAgain() {
        furnish()
        _ = perform()
        fixture.remove(Self.id(590, 101))
        fixture.remove(Self.id(591, 102))
        fixture.remove(100)
        #expect(perform() == [])
        fixture.addSink(150, "pci", "Built-in", GraphFixture.card)
        #expect(perform() == [.link(output: 590, input: 151), .link(output: 591, input: 152)])
    }

    @Test mutating func theEarsLeaveACardWhoseLoudspeakersComeOn() {
        furnish()
        _ = perform()
        fixture.setCard(40, port: "analog-output-speaker", type: "speaker")
        let steps = perform()
        let left: [DesktopWiring.Step] = [.unlink(Self.id(590, 101)), .unlink(Self.id(591, 102))]
        #expect(Array(steps.prefix(2)) == left)
        guard case .say(let words)? = steps.last else { return #expect(Bool(false)) }
        #expect(words.contains("'analog-output-speaker of it' is on"))
        #expect(perform() == [])
        fixture.setCard(40, port: "analog-output-headphones", type: "headphones")
        #expect(perform() == [.link(output: 590, input: 101), .link(output: 591, input: 102)])
    }

    @Test mutating func aConnectionIntoTheOwnSinkIsUndone() {
        furnish()
        _ = perform()
        fixture.addLink(7, 590, 201)
        let steps = perform()
        #expect(steps.first == .unlink(7) && steps.count == 2)
        guard case .say(let words)? = steps.last else { return #expect(Bool(false)) }
        #expect(words.contains("would hear themselves"))
    }

    @Test mutating func aConnectionThroughAnotherSinkAndAPairOfStreamsIsUndone() {
        furnish()
        _ = perform()
        // An equaliser: a sink and a stream of one group, whose stream plays to this program's sink.
        fixture.addSink(300, "eq", "Equaliser", #", "node.link-group": "eq-1""#)
        fixture.take(
            #"{"id": 350, "type": "PipeWire:Interface:Node", "info": {"props": {"node.name": "eq.out", "node.link-group": "eq-1"}}}"#
        )
        fixture.addPort(351, of: 350, "output_FL", "output", "FL")
        fixture.addLink(8, 351, 201)
        #expect(perform() == [])
        fixture.addLink(9, 591, 302)
        #expect(perform().first == .unlink(9))
    }

    /// PipeWire would spread a stereo stream over all channels of the sink.
    @Test mutating func aStreamThatComesKeepsItsChannels() {
        furnish()
        _ = perform()
        fixture.take(
            #"{"id": 360, "type": "PipeWire:Interface:Node", "info": {"props": {"media.class": "Stream/Output/Audio"}}}"#
        )
        fixture.addPort(361, of: 360, "output_FL", "output", "FL")
        #expect(perform() == [])
        fixture.addLink(8, 361, 201)
        #expect(perform() == [.keepChannels(stream: 360)])
        #expect(perform() == [])
        wiring.failed(stream: 360)
        #expect(perform() == [.keepChannels(stream: 360)])
        // It went to another sink and comes back.
        fixture.remove(8)
        #expect(perform() == [])
        fixture.addLink(8, 361, 201)
        #expect(perform() == [.keepChannels(stream: 360)])
    }

    @Test mutating func anotherProgramsPortsOfTheSameNamesAreLeftAlone() {
        furnish()
        fixture.take(#"{"id": 32, "type": "PipeWire:Interface:Client", "info": {"props": {"pipewire.sec.pid": 99}}}"#)
        fixture.take(
            #"{"id": 400, "type": "PipeWire:Interface:Node", "info": {"props": {"node.name": "proscenium-desktop", "client.id": 32}}}"#
        )
        fixture.addPort(401, of: 400, "out_L", "output")
        fixture.addPort(402, of: 400, "in_FL", "input")
        #expect(
            !perform().contains {
                if case .link(let output, let input) = $0 { output == 401 || input == 402 } else { false }
            })
    }

    @Test mutating func aHeadsetThatIsATelephoneHasOnePort() {
        furnish()
        fixture.remove(100)
        for port in 101...104 { fixture.remove(port) }
        fixture.addSink(100, "pci", "Built-in", GraphFixture.card, positions: ["MONO"])
        let ears: [DesktopWiring.Step] = [.link(output: 590, input: 101), .link(output: 591, input: 101)]
        #expect(Array(perform().suffix(2)) == ears)
    }
}
