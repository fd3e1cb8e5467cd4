import Glibc

/// Collector of the XML elements that define tracks. It receives the elements in document order.
///
/// Elements may be anywhere in the document. The number of kept elements is bounded, and so is the depth.
struct ModelBuilder {
    /// Deepest nesting of elements; models have ten levels.
    static let mostDepth = 100
    /// Largest number of kept elements and references: 256 for each track of the largest accepted file.
    static let mostKept = 1 << 18
    /// Bytes of a text that are kept; the rest is ignored. Identifiers and numbers have about 20.
    private static let longestText = 256

    /// Elements whose text is read. The text of references is read too.
    private enum Value: String {
        case speakerLabel, position, order, degree, normalization, gain, mute, frequency
    }

    /// Elements kept so far.
    private(set) var document = ModelDocument()
    private var depth = 0
    private var kept = 0
    /// Depth of the element whose content is skipped; nil if no element is skipped.
    private var passedOver: Int?
    private var current: (kind: ModelElement.Kind, element: ModelElement)?
    private var block: ModelElement.Block?
    /// Names of the open elements from `current` inwards.
    private var open: [String] = []
    /// Attributes of the element that began last.
    private var attributes: [String: String] = [:]
    /// Text of the element that began last; nil if the text is not needed.
    private var text: [UInt8]?

    /// Begins an element. `element` returns its name and attributes; it is not called within a skipped element.
    ///
    /// - Throws: `tooDeep`, `tooMany`.
    mutating func begin(_ element: () -> (name: String, attributes: [String: String])) throws(ADMError) {
        depth += 1
        guard depth <= Self.mostDepth else { throw .tooDeep(Self.mostDepth) }
        guard passedOver == nil else { return }
        text = nil
        let (name, attributes) = element()
        let kind = ModelElement.Kind(rawValue: name)
        guard current != nil || kind != nil else { return }
        self.attributes = attributes
        if let kind, current == nil, let id = attributes[kind.identifier] {
            try keep()
            current = (kind, ModelElement(kind, id, attributes))
        } else if kind != nil {
            // Skips an element of a kept kind that lies within another one or has no identifier.
            passedOver = depth
            return
        } else if name == "audioBlockFormat" {
            // The channel of an object may have hundreds of thousands of blocks. None of them defines the track.
            guard current?.element.hasPlaces == true else { return passedOver = depth }
            block = ModelElement.Block()
        } else if Value(rawValue: name) != nil || ModelElement.Kind(reference: name) != nil {
            text = []
        }
        open.append(name)
    }

    /// Appends text to the element that began last, if its text is needed.
    mutating func add(_ characters: UnsafeBufferPointer<CChar>) {
        guard let room = text.map({ Self.longestText - $0.count }), room > 0 else { return }
        text?.append(contentsOf: characters.prefix(room).map { UInt8(bitPattern: $0) })
    }

    /// Ends the innermost open element.
    ///
    /// - Throws: `tooMany`.
    mutating func end() throws(ADMError) {
        defer { depth -= 1 }
        if let passed = passedOver {
            if depth == passed { passedOver = nil }
            return
        }
        guard let (kind, element) = current, let name = open.popLast() else { return }
        if let bytes = text {
            text = nil
            let value = String(decoding: bytes, as: UTF8.self).trimmed
            // Only the texts of `current` and of its blocks are used.
            guard open.count == 1 || open.last == "audioBlockFormat" else { return }
            if let target = ModelElement.Kind(reference: name), open.count == 1 {
                try keep()
                current?.element.references[target, default: []].append(value.uppercased())
            } else if let what = Value(rawValue: name) {
                take(what, value)
            }
        } else if open.isEmpty {
            document.add(element, kind)
            current = nil
        } else if name == "audioBlockFormat", let block {
            if let first = element.block, !first.hasPlace(of: block) { current?.element.moves = true }
            if element.block == nil { current?.element.block = block }
            self.block = nil
        }
    }

    private mutating func keep() throws(ADMError) {
        kept += 1
        if kept > Self.mostKept { throw .tooMany(Self.mostKept) }
    }

    private mutating func take(_ what: Value, _ value: String) {
        let number = Double(value).flatMap { $0.isFinite ? $0 : nil }
        switch what {
        case .speakerLabel: block?.labels.append(ModelElement.readable(value))
        case .position where attributes["bound"] != nil: break
        case .position where attributes["coordinate"] == "azimuth": block?.azimuth = number
        case .position where attributes["coordinate"] == "elevation": block?.elevation = number
        case .order: block?.order = Int(value)
        case .degree: block?.degree = Int(value)
        case .normalization where block != nil: block?.normalization = value
        case .normalization: current?.element.normalization = value
        case .gain:
            let gain = attributes["gainUnit"] == "dB" ? number.map { pow(10, $0 / 20) } : number
            if block != nil { block?.gain = gain } else { current?.element.gain = gain }
        case .mute: current?.element.isMute = value == "1" || value == "true"
        case .frequency where attributes["typeDefinition"] == "lowPass": current?.element.lowPass = number
        case .position, .frequency: break
        }
    }
}

extension String {
    /// Text without leading and trailing white space.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
