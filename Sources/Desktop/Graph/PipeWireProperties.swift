import Gate

/// Properties of an object of PipeWire, as `pw-dump` writes them: texts, but numbers and truths without quotes.
struct PipeWireProperties {
    private let value: JSONValue?

    /// Reads an object's `props`; nil: none.
    init(_ value: JSONValue?) { self.value = value }

    /// Text of a property, of at most 1000 bytes; nil without one.
    func text(_ key: String) -> String? {
        guard let value = value?[key], let text = value.text ?? value.numeral, text.utf8.count <= 1000 else {
            return nil
        }
        return text
    }

    /// Number of a property that can be an id; nil without one.
    func id(_ key: String) -> Int? {
        guard let value = value?[key] else { return nil }
        return value.text.flatMap { Int($0, within: 0...Int(UInt32.max)) } ?? PipeWireGraph.id(value)
    }

    /// Whether a property is true.
    func truth(_ key: String) -> Bool {
        switch value?[key] {
        case .truth(let isOn): isOn
        case .text(let text): text == "true"
        default: false
        }
    }

    /// The node with these properties.
    var node: PipeWireGraph.Node {
        var node = PipeWireGraph.Node()
        node.name = text("node.name") ?? ""
        node.description = text("node.description") ?? text("node.nick") ?? node.name
        node.mediaClass = text("media.class") ?? ""
        node.client = id("client.id")
        node.card = id("device.id")
        node.cardDevice = id("card.profile.device")
        node.form = text("device.form-factor")
        node.group = text("node.link-group")
        node.application = text("application.name") ?? text("media.name") ?? ""
        node.role = text("media.role") ?? ""
        node.serial = id("object.serial")
        return node
    }

    /// Reads a card's active routes that play.
    static func cardPorts(_ routes: JSONValue) -> [PipeWireGraph.CardPort] {
        guard case .list(let routes) = routes else { return [] }
        return routes.prefix(100).compactMap { route in
            guard route["direction"]?.text == "Output", let device = route["device"].flatMap(PipeWireGraph.id) else {
                return nil
            }
            // `info` is a list of keys and values, with their number before them.
            var type: String?
            if case .list(let words)? = route["info"], let place = words.firstIndex(where: { $0.text == "port.type" }),
                place + 1 < words.count
            {
                type = words[place + 1].text
            }
            let name = route["name"]?.text ?? ""
            return PipeWireGraph.CardPort(
                device: device, name: name, description: route["description"]?.text ?? name, type: type)
        }
    }
}
