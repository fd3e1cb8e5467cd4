/// Reads the properties of an object in a plugin's message (atom). Reading cannot fail: values that are cut off or
/// extend past the end of the message are ignored.
struct AtomReader {
    /// Bytes of the atom with its header.
    let bytes: [UInt8]

    private func number(_ place: Int) -> UInt32? {
        guard place >= 0, place + 4 <= bytes.count else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }

    private func value<Number: BitwiseCopyable>(_ place: Int, as type: Number.Type) -> Number? {
        guard place >= 0, place + MemoryLayout<Number>.size <= bytes.count else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: type) }
    }

    /// Returns the class of the object; nil if the atom is not an object or is cut off.
    func kind(_ uris: Vocabulary) -> UInt32? {
        guard let type = number(4), type == uris.object || type == uris.blank else { return nil }
        return number(12)
    }

    /// Returns the key and the offset of each value of the object at `place`. The offset is that of the value's header.
    func values(at place: Int = 0) -> [(key: UInt32, place: Int)] {
        guard let size = number(place).map({ Int($0) }), size >= 8 else { return [] }
        let end = min(bytes.count, place + 8 + size)
        var (found, next): ([(UInt32, Int)], Int) = ([], place + 16)
        while next + 16 <= end, let key = number(next), let length = number(next + 8).map({ Int($0) }),
            next + 16 + length <= end
        {
            found.append((key, next + 8))
            next += 16 + (length + 7) & ~7
        }
        return found
    }

    /// Returns the number in a URID atom; nil if the atom has another type or is cut off.
    func urid(at place: Int, _ uris: Vocabulary) -> UInt32? {
        number(place + 4) == uris.urid ? number(place + 8) : nil
    }

    /// Returns the value of an atom; nil if its type is not supported, it is cut off, or its URID is unknown.
    func property(at place: Int, _ uris: Vocabulary) -> PropertyValue? {
        guard let size = number(place).map({ Int($0) }), let type = number(place + 4) else { return nil }
        let body = place + 8
        switch type {
        case uris.int, uris.bool: return value(body, as: Int32.self).map { .number(Double($0)) }
        case uris.long: return value(body, as: Int64.self).map { .number(Double($0)) }
        case uris.float: return value(body, as: Float.self).map { .number(Double($0)) }
        case uris.double: return value(body, as: Double.self).map { .number($0) }
        case uris.string, uris.path, uris.uri:
            guard body + size <= bytes.count else { return nil }
            let text = String(decoding: bytes[body..<body + size].prefix { $0 != 0 }, as: UTF8.self)
            return type == uris.path ? .path(text) : .text(text)
        case uris.urid: return number(body).flatMap { URIDMap.shared.uri(of: $0) }.map { .text($0) }
        default: return nil
        }
    }
}
