import Foundation

/// Any JSON value, kept as it was read, so that what a map holds beside our own keys is there when it is written again.
package indirect enum KeptJSON: Codable, Hashable, Sendable {
    case null, bool(Bool), integer(Int64), number(Double), text(String), list([KeptJSON]), object([String: KeptJSON])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([KeptJSON].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: KeptJSON].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The number it is; nil for anything else.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// A number, whole where it is.
    static func from(_ number: Double) -> KeptJSON { Int64(exactly: number).map { .integer($0) } ?? .number(number) }
}

/// The keys of an object, taken one by one; what is left at the end is not ours and is kept.
struct KeptObject {
    /// What was not taken.
    private(set) var rest: [String: KeptJSON]
    /// Where it stands in the map, for complaints.
    let place: String

    init(_ value: KeptJSON, at place: String) throws(SurfaceMapError) {
        guard case .object(let object) = value else { throw SurfaceMapError(place, "is no object in braces") }
        (rest, self.place) = (object, place)
    }

    mutating func take(_ key: String) -> KeptJSON? { rest.removeValue(forKey: key) }

    mutating func text(_ key: String) throws(SurfaceMapError) -> String? {
        guard let value = take(key) else { return nil }
        guard case .text(let text) = value else { throw SurfaceMapError("\(place).\(key)", "is no text") }
        return text
    }

    mutating func number(_ key: String) throws(SurfaceMapError) -> Double? {
        guard let value = take(key) else { return nil }
        guard let number = value.number else { throw SurfaceMapError("\(place).\(key)", "is no number") }
        return number
    }

    mutating func whole(_ key: String, in range: ClosedRange<Int>) throws(SurfaceMapError) -> Int? {
        guard let number = try number(key) else { return nil }
        guard let whole = Int(exactly: number), range.contains(whole) else {
            throw SurfaceMapError("\(place).\(key)", "is not within \(range.lowerBound) to \(range.upperBound)")
        }
        return whole
    }

    mutating func truth(_ key: String) throws(SurfaceMapError) -> Bool? {
        guard let value = take(key) else { return nil }
        guard case .bool(let truth) = value else {
            throw SurfaceMapError("\(place).\(key)", "is neither true nor false")
        }
        return truth
    }

    mutating func list(_ key: String) throws(SurfaceMapError) -> [KeptJSON]? {
        guard let value = take(key) else { return nil }
        guard case .list(let list) = value else { throw SurfaceMapError("\(place).\(key)", "is no list") }
        return list
    }

    /// A value of an address as it would be written: a word, a number, or a list of numbers.
    mutating func written(_ key: String) throws(SurfaceMapError) -> [String]? {
        guard let value = take(key) else { return nil }
        let values = if case .list(let list) = value { list } else { [value] }
        var words: [String] = []
        for value in values {
            switch value {
            case .text(let text): words.append(text)
            case .bool(let truth): words.append(truth ? "on" : "off")
            case .integer(let number): words.append(String(number))
            case .number(let number): words.append(String(number))
            default: throw SurfaceMapError("\(place).\(key)", "is no word, number or list of numbers")
            }
        }
        return words
    }
}

/// What is wrong with a map of a control surface, and where.
package struct SurfaceMapError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where in the map, as `bindings[2].control`; empty for the whole.
    package let place: String
    /// What is wrong there.
    package let fault: String

    init(_ place: String, _ fault: String) { (self.place, self.fault) = (place, fault) }

    /// Both in a sentence.
    package var description: String { "the control map's \(place.isEmpty ? "text" : place) \(fault)" }
}
