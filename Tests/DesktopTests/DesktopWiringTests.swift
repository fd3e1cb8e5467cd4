import Testing

@testable import Desktop

@Suite struct DesktopWiringTests {
    private let sink: DesktopSink
    private var fixture = GraphFixture()
    private var wiring: DesktopWiring
    /// Monotonic time, seconds.
    private var now = 100.0

    init() throws {
        sink = try DesktopSink(layout: "5.1")
        wiring = DesktopWiring(sink, to: DesktopOutput(name: "pci", description: "Built-in"), process: 4711)
    }

    /// Id of a link that `perform` makes.
    private static func id(_ output: Int, _ input: Int) -> Int { 10_000 + output * 100 + input }

    /// Carries out the steps in the graph. Returns the steps.
    private mutating func perform() -> [DesktopWiring.Step] {
        let steps = wiring.look(at: fixture.graph, now: now)
        for step in steps {
            switch step {
            case .link(let output, let input):
                fixture.addLink(Self.id(output, input), output, input)
                wiring.answered(output: output, input: input, isMade: true)
            case .unlink(let id): fixture.remove(id)
            case .say, .keepChannels, .renewSinks, .place, .setLevel: break
            }
        }
        return steps
    }

    private mutating func furnish() {
        fixture.addSink(200, sink.name, sink.description, positions: sink.channels.map(\.position))
        fixture.addSink(100, "pci", "Built-in", GraphFixture.card)
        fixture.setCard(40, port: "analog-output-headphones", type: "headphones")
        // The session manager takes the sink over.
        _ = wiring.look(at: fixture.graph, now: now)
        now += ManagerWatch.time
        fixture.addSession(sink)
    }

    @Test mutating func channelsGoToTheInputsOfTheirNamesAndEarsToTheHeadphones() {
        furnish()
        let steps = perform()
        // Monitor ports of 5.1 are 207…212: FL FR FC LFE RL RR; inputs 501…506: FL FR FC LFE SL SR.
        let inputs: [DesktopWiring.Step] = (0..<6).map { .link(output: 207 + $0, input: 501 + $0) }
        #expect(steps == inputs + [.link(output: 590, input: 101), .link(output: 591, input: 102)])
        #expect(perform() == [])
        #expect(DesktopWiring.isComplete([sink], wiring.output, in: fixture.graph))
    }

    @Test mutating func aRequestIsNotRepeatedUntilItWasTried() {
        furnish()
        _ = wiring.look(at: fixture.graph, now: now)
        #expect(wiring.look(at: fixture.graph, now: now) == [])
        wiring.answered(output: 208, input: 502, isMade: true)
        #expect(wiring.look(at: fixture.graph, now: now) == [.link(output: 208, input: 502)])
        // After a failure, missing links of the ears are made, too.
        wiring.answered(output: 590, input: 101, isMade: false)
        #expect(wiring.look(at: fixture.graph, now: now) == [.link(output: 590, input: 101)])
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
        #expect(words.contains("active port: 'analog-output-speaker of it'"))
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
        #expect(words.contains("is a feedback loop"))
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
        #expect(perform() == [] && !wiring.isWaiting)
    }

    /// PipeWire gives the number of an ended stream to a later one, also while the sinks are missing.
    @Test mutating func aLaterStreamOfTheSameNumberKeepsItsChannels() {
        furnish()
        _ = perform()
        for _ in 0..<2 {
            fixture.addStream(360, #""application.name": "A""#)
            fixture.addLink(8, 361, 201)
            #expect(perform().contains(.keepChannels(stream: 360)))
            for id in [8, 360, 361, 362, 200] { fixture.remove(id) }
            _ = perform()
            fixture.addSink(200, sink.name, sink.description, positions: sink.channels.map(\.position))
        }
    }

    /// A WirePlumber that follows one that was killed does not link the streams of before.
    @Test mutating func aStreamThatIsNotLinkedAgainIsLinkedSoon() {
        furnish()
        fixture.take(
            #"{"id": 360, "type": "PipeWire:Interface:Node", "info": {"props": {"media.class": "Stream/Output/Audio"}}}"#
        )
        for (place, channel) in ["FL", "FR", "RC"].enumerated() {
            fixture.addPort(361 + place, of: 360, "output_\(channel)", "output", channel)
        }
        fixture.addLink(8, 361, 201)
        _ = perform()
        fixture.remove(8)
        #expect(perform() == [] && wiring.isWaiting)
        now += 0.6
        #expect(perform() == [])
        now += 0.2
        #expect(perform() == [.link(output: 361, input: 201), .link(output: 362, input: 202)])
        #expect(perform() == [] && !wiring.isWaiting)
        // A stream that plays to another sink stays there, and a stream that has ended is forgotten.
        fixture.remove(Self.id(361, 201))
        fixture.remove(Self.id(362, 202))
        fixture.addLink(9, 361, 101)
        now += 5
        #expect(perform() == [] && !wiring.isWaiting)
        fixture.remove(9)
        fixture.remove(360)
        #expect(perform() == [] && !wiring.isWaiting)
    }

    /// This is the case after a restart of the service, which has not seen links of the stream.
    @Test mutating func aStreamForTheSinkThatIsNotLinkedIsLinkedSoon() {
        func stream(_ id: Int, target: String) -> String {
            #"{"id": \#(id), "type": "PipeWire:Interface:Node", "info": {"props": {"media.class": "Stream/Output/Audio", "#
                + #""node.autoconnect": true\#(target)}}}"#
        }
        furnish()
        _ = perform()
        for (place, target) in ["", #", "target.object": 77"#, #", "target.object": "pci""#].enumerated() {
            fixture.take(stream(360 + 10 * place, target: target))
            fixture.addPort(361 + 10 * place, of: 360 + 10 * place, "output_FL", "output", "FL")
        }
        // The default sink is another one.
        #expect(perform() == [] && !wiring.isWaiting)
        fixture.take(fixture.metadata(chosen: sink.name, used: sink.name))
        #expect(perform() == [] && wiring.isWaiting)
        now += 1.1
        // The third stream requests the headphones, so it is not linked.
        #expect(perform() == [.link(output: 361, input: 201), .link(output: 371, input: 201)])
    }

    /// WirePlumber cannot take over a sink that runs.
    @Test mutating func theSinkIsMadeAnewForTheNextSessionManager() {
        furnish()
        _ = perform()
        fixture.remove(31)
        now += 10
        #expect(perform() == [])
        fixture.take(fixture.metadata(chosen: nil, used: "speakers"))
        #expect(perform() == [.renewSinks])
        fixture.remove(200)
        #expect(perform() == [])
        // The next sink appears. The session takes its sound after the session manager has had time to take over the
        // sink.
        now += 10
        fixture.addSink(600, sink.name, sink.description, positions: sink.channels.map(\.position))
        #expect(wiring.look(at: fixture.graph, now: now) == [] && wiring.isWaiting)
        now += 0.6
        #expect(perform() == (0..<6).map { .link(output: 607 + $0, input: 501 + $0) })
        #expect(!wiring.isWaiting && perform() == [])
    }

    @Test mutating func aSinkToWhichAProgramIsLinkedIsHeardAtOnce() {
        fixture.addSink(200, sink.name, sink.description, positions: sink.channels.map(\.position))
        fixture.addSession(sink)
        #expect(perform() == [] && wiring.isWaiting)
        fixture.take(
            #"{"id": 360, "type": "PipeWire:Interface:Node", "info": {"props": {"media.class": "Stream/Output/Audio"}}}"#
        )
        fixture.addPort(361, of: 360, "output_FL", "output", "FL")
        fixture.addLink(8, 361, 201)
        #expect(perform().count == 7 && !wiring.isWaiting)
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
