import Gate
import Testing

@testable import Desktop

@Suite struct PipeWireGraphTests {
    @Test func objectsComeChangeAndGo() {
        var fixture = GraphFixture()
        fixture.addSink(100, "phones", "Phones", #", "device.form-factor": "headset""#)
        #expect(fixture.graph.sinks.map(\.node.name) == ["phones"])
        #expect(fixture.graph.ports(of: 100, isInput: true).map(\.port.channel) == ["FL", "FR"])
        fixture.addLink(7, 103, 102)
        #expect(fixture.graph.hasLink(103, 102) && !fixture.graph.hasLink(102, 103))
        fixture.remove(7)
        fixture.remove(100)
        #expect(!fixture.graph.hasLink(103, 102) && fixture.graph.sinks.isEmpty)
    }

    @Test func theDefaultsAreToldByWhatHasChanged() {
        var fixture = GraphFixture()
        #expect(
            fixture.graph.manager != nil && fixture.graph.defaultSink == "speakers" && fixture.graph.chosenSink == nil)
        fixture.take(fixture.metadata(chosen: "phones", used: "phones"))
        #expect(fixture.graph.chosenSink == "phones")
        fixture.take(fixture.metadata(chosen: nil, used: "speakers"))
        #expect(fixture.graph.chosenSink == "phones" && fixture.graph.defaultSink == "speakers")
        fixture.take(
            #"{"id": 31, "type": "PipeWire:Interface:Metadata", "props": {"metadata.name": "default"}, "metadata": ["#
                + #"{"subject": 70, "key": "target.node", "type": "Spa:Id", "value": 12}]}"#)
        #expect(fixture.graph.chosenSink == "phones" && fixture.graph.defaultSink == "speakers")
        fixture.take(
            #"{"id": 31, "type": "PipeWire:Interface:Metadata", "props": {"metadata.name": "default"}, "metadata": ["#
                + #"{"subject": 0, "key": "default.configured.audio.sink", "type": "", "value": null}]}"#)
        #expect(fixture.graph.chosenSink == nil && fixture.graph.defaultSink == "speakers")
        fixture.remove(31)
        #expect(fixture.graph.manager == nil && fixture.graph.defaultSink == nil)
    }

    @Test func aStreamHasItsOwnChannelsASinkItsVolume() {
        var fixture = GraphFixture()
        fixture.addStream(100, #""application.name": "A", "application.process.binary": "a.out""#, channels: 6)
        let node = fixture.graph.nodes[100]
        #expect(node?.channels == 6 && node?.binary == "a.out" && node?.level == nil && node?.isStream == true)
        fixture.setLevel(200, "phones", [0.5, 0.25], isMuted: true)
        #expect(fixture.graph.nodes[200]?.level == SinkLevel(channels: [0.5, 0.25], isMuted: true))
        // A choice of formats, and numbers out of range, say nothing.
        for format in [#"{"channels": {"default": 2}}"#, #"{"channels": 65}"#, #"{"channels": -1}"#, "7"] {
            fixture.take(
                #"{"id": 100, "type": "PipeWire:Interface:Node", "info": {"props": {}, "params": {"EnumFormat": [\#(format)]}}}"#
            )
            #expect(fixture.graph.nodes[100]?.channels == nil)
        }
        fixture.setLevel(200, "phones", [0.5, -1])
        #expect(fixture.graph.nodes[200]?.level == nil)
    }

    @Test func theSinksThatStreamsWereGivenAreTold() {
        var fixture = GraphFixture()
        func told(_ value: String) -> String {
            #"{"id": 31, "type": "PipeWire:Interface:Metadata", "props": {"metadata.name": "default"}, "metadata": ["#
                + #"{"subject": 70, "key": "target.object", "type": "Spa:String", "value": \#(value)}]}"#
        }
        fixture.take(told(#""proscenium.input.past""#))
        #expect(fixture.graph.targets == [70: "proscenium.input.past"])
        fixture.take(told("412"))
        #expect(fixture.graph.targets == [70: "412"])
        fixture.take(told("null"))
        #expect(fixture.graph.targets == [:])
        fixture.take(told("412"))
        fixture.remove(70)
        #expect(fixture.graph.targets == [:])
        fixture.take(told("412"))
        fixture.remove(31)
        #expect(fixture.graph.targets == [:])
    }

    @Test(arguments: [
        #"{"id": -1, "type": "PipeWire:Interface:Node", "info": {"props": {}}}"#,
        #"{"id": 1e300, "type": "PipeWire:Interface:Node", "info": {"props": {}}}"#,
        #"{"id": "x", "info": null}"#, #"{"id": 5, "type": "PipeWire:Interface:Node", "info": []}"#,
        #"{"id": 5, "type": "PipeWire:Interface:Port", "info": {"props": {"node.id": "many"}}}"#,
        #"{"id": 5, "type": "PipeWire:Interface:Link", "info": {"output-port-id": 1.5}}"#, "17", "[]",
    ])
    func whatIsNoObjectIsIgnored(_ words: String) {
        var fixture = GraphFixture()
        let before = fixture.graph
        fixture.take(words)
        #expect(fixture.graph == before)
    }

    @Test func headphonesAreKnownByThePortThatIsOnThenByTheForm() {
        var fixture = GraphFixture()
        fixture.addSink(100, "pci", "Built-in Audio", GraphFixture.card)
        func sign() -> HeadphoneSign { HeadphoneSign(of: fixture.graph.sinks[0].node, in: fixture.graph) }
        #expect(sign() == .unknown)
        fixture.setCard(40, port: "analog-output-speaker", type: "speaker")
        #expect(sign() == .other("its port 'analog-output-speaker of it'"))
        fixture.setCard(40, port: "analog-output-headphones", type: "headphones")
        #expect(sign() == .headphones("its port 'analog-output-headphones of it'"))
        // A loudspeaker's port counts more than the form of its device.
        fixture.setCard(40, port: "analog-output-speaker", type: "speaker", form: "headset")
        #expect(!sign().isHeadphones)
        fixture.setCard(40, port: "analog-output", type: "analog", form: "headset")
        #expect(sign() == .headphones("the form 'headset'"))
        fixture.setCard(40, port: "analog-output", type: "analog", form: "internal")
        #expect(sign() == .other("the form 'internal'"))
    }

    /// `pw-dump` writes a second array if an object changes while it writes the first.
    @Test func arraysAreReadOneByOne() {
        var lines = DumpLines()
        let text = "[\n{ \"id\": 1 }\n]\n[\n]\n[\n{ \"id\": \n]\n[\n{ \"id\": 2 }\n]\n"
        let found = text.split(separator: "\n").compactMap { lines.take(String($0)) }
        let counts = found.map { if case .list(let objects) = $0 { objects.count } else { -1 } }
        #expect(counts == [1, 0, 1])
        #expect(!lines.isWithin)
        #expect(lines.take("[") == nil && lines.isWithin)
    }
}
