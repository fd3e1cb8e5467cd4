import Gate

/// Finds the lines of a text stream that arrives in pieces of any size.
///
/// A line ends with any of the separators; empty lines are skipped. At most `greatestLength` bytes are stored between
/// calls. A longer line is skipped and counts as one `outOfSync` fault.
struct LineSearch: Sendable {
    /// Greatest length of a line in bytes.
    let greatestLength: Int
    private let separators: [UInt8]
    private var line: [UInt8] = []
    private var isTooLong = false

    /// Creates a search for lines that end with one of the separators.
    init(separators: [UInt8] = [UInt8(ascii: "\n"), UInt8(ascii: "\r")], greatestLength: Int = 1024) {
        self.separators = separators
        self.greatestLength = greatestLength
    }

    /// Adds one byte of the stream. Returns the line that this byte completes; nil otherwise.
    mutating func take(_ byte: UInt8, _ faults: inout [TrackerHealth.Fault]) -> [UInt8]? {
        if separators.contains(byte) { return end() }
        guard !isTooLong else { return nil }
        if line.count == greatestLength {
            faults.append(.outOfSync)
            isTooLong = true
            line = []
        } else {
            line.append(byte)
        }
        return nil
    }

    /// Ends the line at the end of a datagram, with or without a separator. Returns the line; nil if it is empty or too
    /// long.
    mutating func end() -> [UInt8]? {
        defer {
            line = []
            isTooLong = false
        }
        return line.isEmpty || isTooLong ? nil : line
    }
}

/// Parsers for the fields of a text message.
enum TextFields {
    /// Returns the fields between commas, without spaces and tabs at the ends of each.
    static func split(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(trimmed)
    }

    /// Returns a field without spaces and tabs at its two ends.
    static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var field = field
        while let first = field.first, first == 0x20 || first == 0x09 { field.removeFirst() }
        while let last = field.last, last == 0x20 || last == 0x09 { field.removeLast() }
        return field
    }

    /// Returns a number of at most 40 characters: decimal, `nan` or `inf`. Nil for any other text.
    static func number(_ field: ArraySlice<UInt8>) -> Double? {
        guard !field.isEmpty, field.count <= 40 else { return nil }
        for byte in field {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                continue
            case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "a"), UInt8(ascii: "A"), UInt8(ascii: "i"),
                UInt8(ascii: "I"), UInt8(ascii: "f"), UInt8(ascii: "F"):
                continue
            default: return nil
            }
        }
        return Double(String(decoding: field, as: UTF8.self))
    }

    /// Returns a JSON value; nil if it is invalid or exceeds `datagram`. NaN and infinity, as some senders write them,
    /// are accepted here, so that they later count as `notFinite`.
    static func json(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
        try? JSONValue(bytes, within: datagram, lenient: true)
    }

    /// Bounds of a tracker's JSON message.
    private static let datagram = JSONBounds(bytes: 4096, values: 512, entries: 256, depth: 8)

    /// Returns all fields as numbers; `nil` if one is not a number.
    static func numbers(_ fields: ArraySlice<ArraySlice<UInt8>>) -> [Double]? {
        var result: [Double] = []
        result.reserveCapacity(fields.count)
        for field in fields {
            guard let value = number(field) else { return nil }
            result.append(value)
        }
        return result
    }

    /// Returns a whole number without sign; `nil` for any other text and for numbers above 64 bits.
    static func integer(_ field: ArraySlice<UInt8>) -> UInt64? {
        guard !field.isEmpty, field.count <= 20 else { return nil }
        var value: UInt64 = 0
        for byte in field {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            guard !overflows, !carries else { return nil }
            value = sum
        }
        return value
    }

    /// Returns the byte of two hexadecimal digits; `nil` for any other text.
    static func byte(hex field: ArraySlice<UInt8>) -> UInt8? {
        guard field.count == 2 else { return nil }
        var value: UInt8 = 0
        for byte in field {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | (byte - UInt8(ascii: "0"))
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | (byte - UInt8(ascii: "A") + 10)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | (byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return value
    }
}

extension JSONValue {
    /// The first three numbers of a list; nil unless the value is a list of at least three numbers and nothing else.
    var vector: SIMD3<Double>? { numbers(atLeast: 3).map { SIMD3($0[0], $0[1], $0[2]) } }
}
