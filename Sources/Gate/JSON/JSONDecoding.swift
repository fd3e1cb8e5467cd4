extension JSONValue {
    /// Reads JSON with `JSONReader`, and decodes it as a type.
    ///
    /// Numbers must fit the type exactly, apart from rounding to floating point. O(bytes).
    ///
    /// - Parameters:
    ///   - bounds: size limits of the text.
    ///   - hasInfinities: whether the texts `inf`, `-inf` and `nan` are numbers, as some writers of this program encode
    ///     them.
    /// - Throws: `JSONFault` if the text is not JSON or exceeds the limits; `DecodingError` if a value does not fit the
    ///   type.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: some Collection<UInt8>, within bounds: JSONBounds, hasInfinities: Bool = false
    ) throws -> Value {
        try JSONValue(bytes, within: bounds).decoded(as: type, hasInfinities: hasInfinities)
    }

    /// Decodes the value as a type; see `decode(_:from:within:hasInfinities:)`.
    ///
    /// - Throws: `DecodingError` if a value does not fit the type.
    package func decoded<Value: Decodable>(as type: Value.Type, hasInfinities: Bool = false) throws -> Value {
        try JSONValueDecoder(value: self, path: [], key: nil, hasInfinities: hasInfinities).decode(type)
    }

    /// Kind of the value, in the words of an error message.
    fileprivate var kindInWords: String {
        switch self {
        case .null: "null"
        case .truth: "bool"
        case .number, .whole: "a number"
        case .text: "a string"
        case .list: "an array"
        case .object: "a dictionary"
        }
    }
}

extension JSONValue: Decodable {
    /// Takes over the present value of a `JSONValueDecoder`. Throws `DecodingError` for any other decoder.
    package init(from decoder: any Decoder) throws {
        guard let own = decoder as? JSONValueDecoder else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "A JSON value is read with JSONReader."))
        }
        self = own.value
    }
}

/// Decoder of one JSON value.
private struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: JSONValue
    /// Path of the object or list that contains the value, and the value's key in it. The key is nil for the outermost
    /// value.
    let path: [any CodingKey]
    let key: (any CodingKey)?
    let hasInfinities: Bool

    var codingPath: [any CodingKey] { key.map { path + [$0] } ?? path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(
            JSONMembers<Key>(members: members, codingPath: codingPath, hasInfinities: hasInfinities))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .list(let elements) = value else { throw mismatch([Any].self) }
        return JSONElements(elements: elements, codingPath: codingPath, hasInfinities: hasInfinities)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Simple types are decoded here: their `init(from:)` would only call this function again.
        let simple: Any
        if type == Double.self {
            simple = try double(as: type)
        } else if type == String.self {
            guard case .text(let text) = value else { throw mismatch(type) }
            simple = text
        } else if type == Bool.self {
            guard case .truth(let truth) = value else { throw mismatch(type) }
            simple = truth
        } else if type == Float.self {
            let double = try double(as: type)
            let single = Float(double)
            guard single.isFinite || !double.isFinite else { throw unrepresentable(type) }
            simple = single
        } else if let whole = type as? any FixedWidthInteger.Type {
            simple = try integer(whole)
        } else {
            return try Value(from: self)
        }
        guard let result = simple as? Value else { throw mismatch(type) }
        return result
    }

    private func double(as type: any Any.Type) throws -> Double {
        if let number = value.number { return number }
        if hasInfinities, case .text(let text) = value {
            switch text {
            case "inf": return .infinity
            case "-inf": return -.infinity
            case "nan": return .nan
            default: break
            }
        }
        throw mismatch(type)
    }

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
        let whole: Number? =
            switch value {
            case .number(let number): Number(exactly: number)
            case .whole(let number): Number(exactly: number)
            case .null, .truth, .text, .list, .object: throw mismatch(type)
            }
        guard let whole else { throw unrepresentable(type) }
        return whole
    }

    /// Returns the error for a value whose kind does not fit the type.
    private func mismatch(_ type: any Any.Type) -> DecodingError {
        if value == .null {
            return .valueNotFound(
                type, context("Cannot get value of type \(type) -- found null value instead"))
        }
        return .typeMismatch(type, context("Expected to decode \(type) but found \(value.kindInWords) instead."))
    }

    /// Returns the error of a number that the type cannot hold.
    private func unrepresentable(_ type: any Any.Type) -> DecodingError {
        .dataCorrupted(context("Number \(value.numeral ?? "") is not representable in \(type)."))
    }

    private func context(_ words: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: words)
    }
}

/// Members of an object, by the keys of a type.
private struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]
    let hasInfinities: Bool

    var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func member(_ key: any CodingKey) throws -> JSONValueDecoder {
        guard let value = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "No value associated with key '\(key.stringValue)'."))
        }
        return JSONValueDecoder(value: value, path: codingPath, key: key, hasInfinities: hasInfinities)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try member(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try member(JSONPlace.name("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

/// Elements of a list, one after the other.
private struct JSONElements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    let hasInfinities: Bool
    private(set) var currentIndex = 0

    init(elements: [JSONValue], codingPath: [any CodingKey], hasInfinities: Bool) {
        (self.elements, self.codingPath, self.hasInfinities) = (elements, codingPath, hasInfinities)
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    /// Returns the decoder of the next element.
    private func next(_ type: any Any.Type) throws -> JSONValueDecoder {
        let place = JSONPlace.index(currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: codingPath + [place], debugDescription: "Unkeyed container is at end."))
        }
        return JSONValueDecoder(
            value: elements[currentIndex], path: codingPath, key: place, hasInfinities: hasInfinities)
    }

    mutating func decodeNil() throws -> Bool {
        guard try next(Never.self).decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try next(type).decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try next(Nested.self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try next([Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try next((any Decoder).self)
        currentIndex += 1
        return decoder
    }
}

/// Place of a value in a list, or under a fixed name, for the path in an error.
private enum JSONPlace: CodingKey {
    case index(Int)
    case name(String)

    init?(stringValue: String) { self = .name(stringValue) }
    init?(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .index(let index): "Index \(index)"
        case .name(let name): name
        }
    }

    var intValue: Int? { if case .index(let index) = self { index } else { nil } }
}
