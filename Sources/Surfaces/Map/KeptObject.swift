import Gate

/// Keys of a JSON object, removed one by one. The remaining keys are unknown and are kept.
struct KeptObject {
    /// Keys that were not removed.
    private(set) var rest: [String: JSONValue]
    /// Position in the map, for error messages.
    let place: String

    init(_ value: JSONValue, at place: String) throws(SurfaceMapError) {
        guard case .object(let object) = value else { throw SurfaceMapError(place, "is no object in braces") }
        (rest, self.place) = (object, place)
    }

    mutating func take(_ key: String) -> JSONValue? { rest.removeValue(forKey: key) }

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
        guard case .truth(let truth) = value else {
            throw SurfaceMapError("\(place).\(key)", "is neither true nor false")
        }
        return truth
    }

    mutating func list(_ key: String) throws(SurfaceMapError) -> [JSONValue]? {
        guard let value = take(key) else { return nil }
        guard case .list(let list) = value else { throw SurfaceMapError("\(place).\(key)", "is no list") }
        return list
    }

    /// Removes and returns a value of an address as words: one word, number or truth value (`on`, `off`), or a list of
    /// them.
    mutating func written(_ key: String) throws(SurfaceMapError) -> [String]? {
        guard let value = take(key) else { return nil }
        let values = if case .list(let list) = value { list } else { [value] }
        var words: [String] = []
        for value in values {
            switch value {
            case .text(let text): words.append(text)
            case .truth(let truth): words.append(truth ? "on" : "off")
            default:
                guard let numeral = value.numeral else {
                    throw SurfaceMapError("\(place).\(key)", "is no word, number or list of numbers")
                }
                words.append(numeral)
            }
        }
        return words
    }
}

extension JSONValue {
    /// Converts a value in written form, as returned by `KeptObject.written`, to JSON.
    init(written: [String]) {
        let values = written.map { text -> JSONValue in
            guard let number = Double(text), number.isFinite else { return .text(text) }
            return .number(number)
        }
        self = values.count == 1 ? values[0] : .list(values)
    }
}
