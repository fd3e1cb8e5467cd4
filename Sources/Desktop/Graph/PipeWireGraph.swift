import Gate

/// PipeWire's objects, as far as a sink of this program needs them: nodes, ports, links, clients, ports of sound cards,
/// the default sink, and the sinks that were requested for streams.
///
/// The graph is updated with the arrays of objects that `pw-dump` writes. The texts and numbers come from other
/// programs: ids outside 0…2³²−1 and objects of another form are ignored.
package struct PipeWireGraph: Hashable, Sendable {
    /// A node, for example a sink, a stream of a program, or a JACK client.
    package struct Node: Hashable, Sendable {
        /// `node.name`, by which PipeWire finds a node again; empty without one.
        package var name = ""
        /// Name for people: `node.description`, else `node.nick`, else the name.
        package var description = ""
        /// `media.class`, such as `Audio/Sink`.
        package var mediaClass = ""
        /// Id of the client that owns the node; nil without one.
        package var client: Int?
        /// Id of the node's sound card, and number of the device on the card; nil if the node belongs to no card.
        package var card: Int?, cardDevice: Int?
        /// Form of the node's device, such as `headphone`; nil if unknown.
        package var form: String?
        /// `node.link-group`: nodes of one group pass sound to each other inside their program; nil without one.
        package var group: String?
        /// `application.name` of a stream, else `media.name`; empty without both.
        package var application = ""
        /// `application.process.binary` of a stream, such as `firefox-bin`; empty without one.
        package var binary = ""
        /// `media.role` of a stream, such as `Notification`; empty without one.
        package var role = ""
        /// Number of channels of a stream's own format, 1…64; nil if unknown. The stream's ports do not show it: they
        /// have the channels of the sink to which the stream plays.
        package var channels: Int?
        /// Volume of a sink; nil for other nodes, and if unknown.
        package var level: SinkLevel?
        /// Whether the session manager links the node (`node.autoconnect`), and the target that the node requests, by
        /// name or serial number; nil: the default sink.
        package var isLinkedByManager = false, target: String?
        /// `object.serial`, by which metadata refer to the node; nil without one.
        package var serial: Int?
    }

    /// A port of a node.
    package struct Port: Hashable, Sendable {
        package var node: Int
        /// `port.name`, such as `playback_FL`.
        package var name: String
        /// `audio.channel`, such as `FL`; empty without one.
        package var channel: String
        package var isInput: Bool
        /// Whether the port delivers the sound that a sink plays.
        package var isMonitor: Bool
    }

    /// A link from an output to an input.
    package struct Link: Hashable, Sendable {
        package var output: Int, input: Int
        package var outputNode: Int, inputNode: Int
        /// Id of the client that made the link and can remove it; nil for a link that outlives its client, such as one
        /// that the user made by hand.
        package var client: Int?
    }

    /// Active port of a sound card's device, such as `analog-output-headphones`.
    package struct CardPort: Hashable, Sendable {
        /// Number of the device on the card.
        package var device: Int
        package var name: String
        /// Name for people.
        package var description: String
        /// `port.type`, such as `headphones`; nil if unknown.
        package var type: String?
    }

    /// Nodes by their ids.
    package internal(set) var nodes: [Int: Node] = [:]
    /// Ports by their ids.
    package internal(set) var ports: [Int: Port] = [:]
    /// Links by their ids.
    package internal(set) var links: [Int: Link] = [:]
    /// Process ids of clients, by the clients' ids.
    package internal(set) var clients: [Int: Int] = [:]
    /// Form of each sound card, by its id.
    package internal(set) var cardForms: [Int: String] = [:]
    /// Active output ports of each sound card, by its id.
    package internal(set) var cardPorts: [Int: [CardPort]] = [:]
    /// Id of the metadata that contain the defaults; nil without a session manager.
    private var defaults: Int?
    /// Number of session managers so far.
    private var managers = 0
    /// Name of the default sink, as the session manager chose it; nil without one.
    package internal(set) var defaultSink: String?
    /// Name of the default sink that the user chose; nil without a choice.
    package internal(set) var chosenSink: String?
    /// Sink that was requested for each stream (`target.object` of the metadata), by the stream's id: a serial number,
    /// or a name. A withdrawn request may remain here, because not every `pw-dump` reports its removal.
    package internal(set) var targets: [Int: String] = [:]

    /// Limit for the number of nodes, ports and links together, and for that of requested sinks; a desktop has a few
    /// hundred.
    private static let limit = 1 << 16

    /// Creates a graph without objects.
    package init() {}

    /// Whether neither a node nor a client is known.
    package var isEmpty: Bool { nodes.isEmpty && clients.isEmpty }

    /// Number of the session manager that chooses sinks and links streams, counted from 1; nil without one.
    package var manager: Int? { defaults.map { _ in managers } }

    /// Applies an array of objects as `pw-dump` writes it: new ones, changed ones, and removed ones (without `type`).
    package mutating func take(_ objects: JSONValue) {
        guard case .list(let all) = objects else { return }
        for object in all {
            guard let id = object["id"].flatMap(PipeWireProperties.id) else { continue }
            guard let type = object["type"]?.text else {
                remove(id)
                continue
            }
            take(id, type, object)
        }
    }

    private mutating func take(_ id: Int, _ type: String, _ object: JSONValue) {
        if type == "PipeWire:Interface:Metadata" { return takeMetadata(id, object) }
        guard let info = object["info"], case .object = info, nodes.count + ports.count + links.count < Self.limit
        else { return }
        let properties = PipeWireProperties(info["props"])
        switch type {
        case "PipeWire:Interface:Node": nodes[id] = Node(properties, info["params"])
        case "PipeWire:Interface:Client": clients[id] = properties.id("pipewire.sec.pid") ?? 0
        case "PipeWire:Interface:Device":
            cardForms[id] = properties.text("device.form-factor")
            if let routes = info["params"]?["Route"] { cardPorts[id] = CardPort.active(routes) }
        case "PipeWire:Interface:Port":
            guard let node = properties.id("node.id") else { return }
            ports[id] = Port(
                node: node, name: properties.text("port.name") ?? "", channel: properties.text("audio.channel") ?? "",
                isInput: info["direction"]?.text == "input", isMonitor: properties.truth("port.monitor"))
        case "PipeWire:Interface:Link":
            guard let output = info["output-port-id"].flatMap(PipeWireProperties.id),
                let input = info["input-port-id"].flatMap(PipeWireProperties.id),
                let from = info["output-node-id"].flatMap(PipeWireProperties.id),
                let to = info["input-node-id"].flatMap(PipeWireProperties.id)
            else { return }
            links[id] = Link(
                output: output, input: input, outputNode: from, inputNode: to, client: properties.id("client.id"))
        default: break
        }
    }

    /// Applies the metadata named `default`; others are ignored. The first report contains all entries, later reports
    /// only the changed ones. A removed entry has no value.
    private mutating func takeMetadata(_ id: Int, _ object: JSONValue) {
        guard object["props"]?["metadata.name"]?.text == "default" || id == defaults else { return }
        if defaults != id {
            (defaults, defaultSink, chosenSink, targets) = (id, nil, nil, [:])
            managers += 1
        }
        guard case .list(let entries)? = object["metadata"] else { return }
        for entry in entries {
            guard let subject = entry["subject"].flatMap(PipeWireProperties.id), let key = entry["key"]?.text else {
                continue
            }
            switch (subject, key) {
            case (0, "default.audio.sink"): defaultSink = entry["value"]?["name"]?.text
            case (0, "default.configured.audio.sink"): chosenSink = entry["value"]?["name"]?.text
            case (_, "target.object"):
                guard targets.count < Self.limit || targets[subject] != nil else { continue }
                targets[subject] = entry["value"].flatMap { $0.text ?? $0.numeral }
            default: break
            }
        }
    }

    private mutating func remove(_ id: Int) {
        nodes[id] = nil
        ports[id] = nil
        links[id] = nil
        clients[id] = nil
        cardForms[id] = nil
        cardPorts[id] = nil
        targets[id] = nil
        if id == defaults { (defaults, defaultSink, chosenSink, targets) = (nil, nil, nil, [:]) }
    }
}

extension PipeWireGraph.Node {
    /// Whether the node is the playback stream of a program. JACK clients are not.
    package var isStream: Bool { mediaClass == "Stream/Output/Audio" && role != "DSP" }

    /// Reads a node's properties and parameters.
    fileprivate init(_ properties: PipeWireProperties, _ parameters: JSONValue?) {
        name = properties.text("node.name") ?? ""
        description = properties.text("node.description") ?? properties.text("node.nick") ?? name
        mediaClass = properties.text("media.class") ?? ""
        client = properties.id("client.id")
        card = properties.id("device.id")
        cardDevice = properties.id("card.profile.device")
        form = properties.text("device.form-factor")
        group = properties.text("node.link-group")
        application = properties.text("application.name") ?? properties.text("media.name") ?? ""
        binary = properties.text("application.process.binary") ?? ""
        role = properties.text("media.role") ?? ""
        channels = Self.channels(parameters)
        if mediaClass == "Audio/Sink", let volumes = parameters?["Props"] { level = SinkLevel(volumes) }
        isLinkedByManager = properties.truth("node.autoconnect")
        target = properties.text("target.object") ?? properties.text("node.target")
        serial = properties.id("object.serial")
    }

    /// Returns the number of channels of the format in use, else of the first offered format with a fixed number; nil
    /// without one.
    private static func channels(_ parameters: JSONValue?) -> Int? {
        for key in ["Format", "EnumFormat"] {
            guard case .list(let formats)? = parameters?[key] else { continue }
            // A choice of several numbers is an object, and is skipped.
            for format in formats.prefix(100) {
                if let count = format["channels"]?.number.flatMap({ Int($0, within: 1...64) }) { return count }
            }
        }
        return nil
    }
}

extension PipeWireGraph.CardPort {
    /// Returns the active output ports of a card, read from its routes.
    fileprivate static func active(_ routes: JSONValue) -> [PipeWireGraph.CardPort] {
        guard case .list(let routes) = routes else { return [] }
        return routes.prefix(100).compactMap { route in
            guard route["direction"]?.text == "Output", let device = route["device"].flatMap(PipeWireProperties.id)
            else {
                return nil
            }
            // `info` is a list of keys and values, preceded by their number.
            var type: String?
            if case .list(let words)? = route["info"], let place = words.firstIndex(where: { $0.text == "port.type" }),
                place + 1 < words.count
            {
                type = words[place + 1].text
            }
            let name = route["name"]?.text ?? ""
            return Self(
                device: device, name: name, description: route["description"]?.text ?? name, type: type)
        }
    }
}
