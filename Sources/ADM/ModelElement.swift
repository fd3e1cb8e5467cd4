/// Element of the `axml` chunk, reduced to the data that define tracks.
struct ModelElement {
    /// Kinds of elements that are kept, by their names.
    enum Kind: String, CaseIterable {
        case object = "audioObject"
        case trackUID = "audioTrackUID"
        case trackFormat = "audioTrackFormat"
        case streamFormat = "audioStreamFormat"
        case channelFormat = "audioChannelFormat"
        case packFormat = "audioPackFormat"

        /// Name of the attribute with the identifier.
        var identifier: String { self == .trackUID ? "UID" : rawValue + "ID" }

        /// Returns the kind from the name of a reference, such as `audioPackFormatIDRef`; nil for any other name.
        init?(reference: String) {
            guard reference.hasSuffix("Ref") else { return nil }
            let name = reference.dropLast(3)
            self.init(rawValue: String(name.hasSuffix("ID") && !name.hasSuffix("UID") ? name.dropLast(2) : name))
        }
    }

    /// Content of a block (audioBlockFormat): a loudspeaker's position, or a spherical harmonic.
    struct Block: Equatable {
        /// Labels as written, in order.
        var labels: [String] = []
        /// Azimuth and elevation, degrees; nil if missing or not a finite number.
        var azimuth: Double?, elevation: Double?
        /// Order l and degree m of the harmonic, in BS.2076's terms.
        var order: Int?, degree: Int?
        /// Normalisation as written: SN3D, N3D or FuMa in a valid model.
        var normalization: String?
        /// Gain, linear.
        var gain: Double?

        /// Whether another block is equal, apart from the gain.
        func hasPlace(of other: Block) -> Bool {
            var same = other
            same.gain = gain
            return self == same
        }
    }

    /// Identifier, in upper case, 64 characters at most.
    let id: String
    /// Name for display; the identifier if the element has no name. At most 80 characters, none of them a control
    /// character.
    let name: String
    /// Kind of sound; nil if the element states none or an unknown one.
    let type: TypeDefinition?
    /// Identifiers that the element refers to, in upper case and in order.
    var references: [Kind: [String]] = [:]
    /// Gain, linear; nil without one.
    var gain: Double?
    /// Whether an object is muted.
    var isMute = false
    /// Upper cut-off frequency of a channel, Hz.
    var lowPass: Double?
    /// First block of a channel whose blocks are read (`hasPlaces`).
    var block: Block?
    /// Whether a later block differs from the first in more than its gain.
    var moves = false
    /// Normalisation of all channels of a pack.
    var normalization: String?

    /// Makes an element from its start tag.
    init(_ kind: Kind, _ id: String, _ attributes: [String: String]) {
        self.id = String(id.prefix(64)).uppercased()
        let name = Self.readable(attributes[kind.rawValue + "Name"] ?? "")
        self.name = name.isEmpty ? Self.readable(id) : name
        type = TypeDefinition(label: attributes["typeLabel"], definition: attributes["typeDefinition"])
    }

    /// Whether the blocks define the position of a loudspeaker, or a harmonic.
    var hasPlaces: Bool {
        let type = type ?? TypeDefinition(identifier: id)
        return type == .directSpeakers || type == .hoa
    }

    /// Returns a text that is safe to display: at most 80 characters, with spaces in place of control and format
    /// characters.
    static func readable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(80).map {
                    $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                        || $0.value == 0x2028 || $0.value == 0x2029 ? " " : $0
                }))
    }
}

/// All kept elements, by kind and identifier. Of several elements with the same kind and identifier only the first is
/// kept.
struct ModelDocument {
    /// Elements by kind and identifier.
    private(set) var elements: [ModelElement.Kind: [String: ModelElement]] = [:]
    /// Identifiers of objects in the file's order.
    private(set) var objects: [String] = []

    /// Returns the element with an identifier.
    subscript(kind: ModelElement.Kind, id: String) -> ModelElement? { elements[kind]?[id] }

    /// Adds an element.
    mutating func add(_ element: ModelElement, _ kind: ModelElement.Kind) {
        guard elements[kind]?[element.id] == nil else { return }
        elements[kind, default: [:]][element.id] = element
        if kind == .object { objects.append(element.id) }
    }
}
