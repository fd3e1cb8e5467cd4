/// Whether a sink plays to headphones, as far as PipeWire knows.
package enum HeadphoneSign: Hashable, Sendable {
    /// Headphones. The text names the evidence, for example "its port 'Headphones'".
    case headphones(String)
    /// Another device, also with the evidence.
    case other(String)
    /// PipeWire gives no information about the device.
    case unknown

    /// Types of a card's port, and forms of a device, that stand for headphones, in the words of PipeWire and
    /// PulseAudio.
    private static let types: Set<String> = ["headphones", "headset"]
    private static let forms: Set<String> = ["headphone", "headset"]
    /// Types of a card's port to loudspeakers and other devices.
    private static let otherTypes: Set<String> = [
        "speaker", "line", "spdif", "hdmi", "tv", "radio", "handsfree", "car", "hifi", "phone", "network",
    ]

    /// Whether these are headphones.
    package var isHeadphones: Bool { if case .headphones = self { true } else { false } }

    /// Judges a sink by the active port of its card; without a port, or if the port shows nothing, by the form of the
    /// device.
    package init(of node: PipeWireGraph.Node, in graph: PipeWireGraph) {
        if let port = graph.activePort(of: node) {
            let sign = "its port '\(port.description)'"
            let name = port.name.lowercased()
            if port.type.map(Self.types.contains) == true || name.contains("headphone") || name.contains("headset") {
                self = .headphones(sign)
                return
            }
            if port.type.map(Self.otherTypes.contains) == true || name.contains("speaker") {
                self = .other(sign)
                return
            }
        }
        guard let form = node.form ?? node.card.flatMap({ graph.cardForms[$0] }) else {
            self = .unknown
            return
        }
        self = Self.forms.contains(form) ? .headphones("the form '\(form)'") : .other("the form '\(form)'")
    }
}

extension PipeWireGraph {
    /// Active port of a sink's card. Nil if the sink belongs to no card, or if the card reports no active port.
    package func activePort(of node: Node) -> CardPort? {
        guard let card = node.card, let device = node.cardDevice else { return nil }
        return cardPorts[card]?.first { $0.device == device }
    }

    /// Sinks with their ids, in the order of the ids.
    package var sinks: [(id: Int, node: Node)] {
        nodes.filter { $0.value.mediaClass == "Audio/Sink" }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the ports of a node with their ids, in the order of the ids.
    package func ports(of node: Int, isInput: Bool) -> [(id: Int, port: Port)] {
        ports.filter { $0.value.node == node && $0.value.isInput == isInput }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// Whether two ports are linked.
    package func hasLink(_ output: Int, _ input: Int) -> Bool {
        links.contains { $0.value.output == output && $0.value.input == input }
    }
}
