import Gate

@testable import Desktop

/// A PipeWire graph in the format of `pw-dump`. It begins with the client of a session, of process 4711, and with the
/// metadata of the default sink `speakers`. Its functions add sinks, streams, links, a session and a sound card.
struct GraphFixture {
    var graph = PipeWireGraph()

    init() {
        take(#"{"id": 30, "type": "PipeWire:Interface:Client", "info": {"props": {"pipewire.sec.pid": 4711}}}"#)
        take(metadata(chosen: nil, used: "speakers"))
    }

    /// Takes one object.
    mutating func take(_ object: String) {
        guard let value = JSONValue(parsing: "[\(object)]", within: .graph) else { return }
        graph.take(value)
    }

    mutating func remove(_ id: Int) { take(#"{"id": \#(id), "info": null}"#) }

    /// Returns the metadata object with the default sinks.
    func metadata(chosen: String?, used: String) -> String {
        func entry(_ key: String, _ name: String) -> String {
            #"{"subject": 0, "key": "\#(key)", "type": "Spa:String:JSON", "value": {"name": "\#(name)"}}"#
        }
        let entries =
            [entry("default.audio.sink", used)] + (chosen.map { [entry("default.configured.audio.sink", $0)] } ?? [])
        return #"{"id": 31, "type": "PipeWire:Interface:Metadata", "props": {"metadata.name": "default"}, "metadata": "#
            + "[\(entries.joined(separator: ", "))]}"
    }

    /// Adds a sink with ports `playback_X` at `id + 1`…, and monitor ports after them.
    mutating func addSink(
        _ id: Int, _ name: String, _ description: String, _ more: String = "", positions: [String] = ["FL", "FR"]
    ) {
        take(
            #"{"id": \#(id), "type": "PipeWire:Interface:Node", "info": {"props": {"node.name": "\#(name)", "#
                + #""node.description": "\#(description)", "media.class": "Audio/Sink"\#(more)}}}"#)
        for (index, position) in positions.enumerated() {
            addPort(id + 1 + index, of: id, "playback_\(position)", "input", position)
            addPort(id + 1 + positions.count + index, of: id, "monitor_\(position)", "output", position)
        }
    }

    mutating func addPort(_ id: Int, of node: Int, _ name: String, _ direction: String, _ channel: String = "") {
        take(
            #"{"id": \#(id), "type": "PipeWire:Interface:Port", "info": {"direction": "\#(direction)", "props": "#
                + #"{"node.id": \#(node), "port.name": "\#(name)", "audio.channel": "\#(channel)"}}}"#)
    }

    /// Adds a link that a client made; nil: a link without a client.
    mutating func addLink(_ id: Int, _ output: Int, _ input: Int, by client: Int? = nil) {
        let (from, to) = (graph.ports[output]?.node ?? 0, graph.ports[input]?.node ?? 0)
        take(
            #"{"id": \#(id), "type": "PipeWire:Interface:Link", "info": {"output-node-id": \#(from), "output-port-id": "#
                + #"\#(output), "input-node-id": \#(to), "input-port-id": \#(input), "#
                + #""props": {\#(client.map { #""client.id": \#($0)"# } ?? "")}}}"#)
    }

    /// Adds a program's stream with ports FL and FR at `id + 1` and `id + 2`. Its property `node.autoconnect` lets the
    /// session manager link it; no link is added here.
    mutating func addStream(_ id: Int, _ properties: String, channels: Int = 2) {
        take(
            #"{"id": \#(id), "type": "PipeWire:Interface:Node", "info": {"props": {"media.class": "Stream/Output/Audio", "#
                + #""node.autoconnect": true, \#(properties)}, "params": {"Format": [{"mediaType": "audio", "#
                + #""channels": \#(channels)}]}}}"#)
        addPort(id + 1, of: id, "output_FL", "output", "FL")
        addPort(id + 2, of: id, "output_FR", "output", "FR")
    }

    /// Links a stream to the sink at `sink`, in place of other links.
    mutating func play(_ stream: Int, to sink: Int) {
        for link in graph.links.filter({ $0.value.outputNode == stream }).keys { remove(link) }
        addLink(10 * stream + 100_000, stream + 1, sink + 1)
        addLink(10 * stream + 100_001, stream + 2, sink + 2)
    }

    /// Requests a sink for a stream, as `pw-metadata` does.
    mutating func request(_ sink: String, of stream: Int) {
        take(
            #"{"id": 31, "type": "PipeWire:Interface:Metadata", "props": {"metadata.name": "default"}, "metadata": ["#
                + #"{"subject": \#(stream), "key": "target.object", "type": "Spa:String", "value": "\#(sink)"}]}"#)
    }

    /// Sets the volume of a sink, in a new description of the sink, as `pw-dump` prints it.
    mutating func setLevel(_ id: Int, _ name: String, _ channels: [Double], isMuted: Bool = false) {
        take(
            #"{"id": \#(id), "type": "PipeWire:Interface:Node", "info": {"props": {"node.name": "\#(name)", "#
                + #""media.class": "Audio/Sink"}, "params": {"Props": [{"volume": 1.0}, {"mute": \#(isMuted), "#
                + #""channelVolumes": \#(channels)}]}}}"#)
    }

    /// Adds the node of the session of process 4711, with the inputs of a sink's layout at `id + 1`…, and its ears at
    /// `id + 90` and `id + 91`.
    mutating func addSession(_ sink: DesktopSink, _ id: Int = 500) {
        take(
            #"{"id": \#(id), "type": "PipeWire:Interface:Node", "info": {"props": {"node.name": "proscenium-desktop", "client.id": 30}}}"#
        )
        for (index, channel) in sink.channels.enumerated() { addPort(id + 1 + index, of: id, channel.input, "input") }
        addPort(id + 90, of: id, "out_L", "output")
        addPort(id + 91, of: id, "out_R", "output")
    }

    /// Adds a sound card with one active output port, and a microphone.
    mutating func setCard(_ id: Int, port: String, type: String, form: String = "internal") {
        take(
            #"{"id": \#(id), "type": "PipeWire:Interface:Device", "info": {"props": {"device.form-factor": "\#(form)"}, "#
                + #""params": {"Route": [{"index": 0, "direction": "Input", "device": 1, "name": "mic"}, "#
                + #"{"index": 3, "direction": "Output", "device": 2, "name": "\#(port)", "description": "\#(port) of it", "#
                + #""info": [1, "port.type", "\#(type)"]}]}}}"#)
    }

    static let card = #", "device.id": 40, "card.profile.device": 2"#
}
