import Gate

/// Properties of an object of PipeWire, as `pw-dump` writes them: texts in quotes; numbers and truth values without
/// quotes.
struct PipeWireProperties {
    private let value: JSONValue?

    /// Reads an object's `props`; nil: none.
    init(_ value: JSONValue?) { self.value = value }

    /// Text of a property, also of a number; nil without one, and for more than 1000 bytes.
    func text(_ key: String) -> String? {
        guard let value = value?[key], let text = value.text ?? value.numeral, text.utf8.count <= 1000 else {
            return nil
        }
        return text
    }

    /// Number of a property that can be an id; nil without one.
    func id(_ key: String) -> Int? {
        guard let value = value?[key] else { return nil }
        return value.text.flatMap { Int($0, within: 0...Int(UInt32.max)) } ?? Self.id(value)
    }

    /// Whether a property is true.
    func truth(_ key: String) -> Bool {
        switch value?[key] {
        case .truth(let isOn): isOn
        case .text(let text): text == "true"
        default: false
        }
    }

    /// Returns a number that can be an id; nil for other values.
    static func id(_ value: JSONValue) -> Int? { value.number.flatMap { Int($0, within: 0...Int(UInt32.max)) } }
}
