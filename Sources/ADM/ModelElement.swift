/// One element of the `axml` chunk, as much of it as says what the tracks are.
struct ModelElement {
    /// The elements that are kept, by their names.
    enum Kind: String, CaseIterable {
        case object = "audioObject"
        case trackUID = "audioTrackUID"
        case trackFormat = "audioTrackFormat"
        case streamFormat = "audioStreamFormat"
        case channelFormat = "audioChannelFormat"
        case packFormat = "audioPackFormat"

        /// The attribute that holds its identifier.
        var identifier: String { self == .trackUID ? "UID" : rawValue + "ID" }

        /// From the name of an element that refers to one, as `audioPackFormatIDRef`; nil for any other.
        init?(reference: String) {
            guard reference.hasSuffix("Ref") else { return nil }
            let name = reference.dropLast(3)
            self.init(rawValue: String(name.hasSuffix("ID") && !name.hasSuffix("UID") ? name.dropLast(2) : name))
        }
    }

    /// The place or the harmonic that a block gives.
    struct Block: Equatable {
        /// As written, in order.
        var labels: [String] = []
        /// Degrees; nil without one.
        var azimuth: Double?, elevation: Double?
        /// BS.2076's names: order is the harmonic's l, degree its m.
        var order: Int?, degree: Int?
        /// SN3D, N3D or FuMa.
        var normalization: String?
        /// As a factor.
        var gain: Double?

        /// Whether another block says the same of everything but the gain.
        func hasPlace(of other: Block) -> Bool {
            var same = other
            same.gain = gain
            return self == same
        }
    }

    /// In capitals.
    let id: String
    /// For people: without line breaks and other control characters, 80 characters at most.
    let name: String
    /// What it says of its kind of sound.
    let type: TypeDefinition?
    /// Identifiers it refers to, in capitals and in order.
    var references: [Kind: [String]] = [:]
    /// As a factor; nil without one.
    var gain: Double?
    /// Whether an object is not to be heard.
    var isMute = false
    /// Upper end of a channel's band, Hz.
    var lowPass: Double?
    /// The first block of a channel.
    var block: Block?
    /// Whether another block has another place.
    var moves = false
    /// Of all channels of a pack.
    var normalization: String?

    /// An element as it begins.
    init(_ kind: Kind, _ id: String, _ attributes: [String: String]) {
        self.id = String(id.prefix(64)).uppercased()
        let name = Self.readable(attributes[kind.rawValue + "Name"] ?? "")
        self.name = name.isEmpty ? Self.readable(id) : name
        type = TypeDefinition(label: attributes["typeLabel"], definition: attributes["typeDefinition"])
    }

    /// Whether its blocks say where a loudspeaker stands or which harmonic a channel is.
    var hasPlaces: Bool {
        let type = type ?? TypeDefinition(identifier: id)
        return type == .directSpeakers || type == .hoa
    }

    /// A text as it may be shown: names come from anywhere.
    static func readable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(80).map {
                    $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                        || $0.value == 0x2028 || $0.value == 0x2029 ? " " : $0
                }))
    }
}

/// All of them, by kind and identifier; where two have one identifier the first counts.
struct ModelDocument {
    /// By kind and identifier.
    private(set) var elements: [ModelElement.Kind: [String: ModelElement]] = [:]
    /// Identifiers of objects in the file's order.
    private(set) var objects: [String] = []

    /// The element of that identifier.
    subscript(kind: ModelElement.Kind, id: String) -> ModelElement? { elements[kind]?[id] }

    /// Takes one in.
    mutating func add(_ element: ModelElement, _ kind: ModelElement.Kind) {
        guard elements[kind]?[element.id] == nil else { return }
        elements[kind, default: [:]][element.id] = element
        if kind == .object { objects.append(element.id) }
    }
}
