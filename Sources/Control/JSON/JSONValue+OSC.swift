import Gate
import OSC

/// Conversion between JSON and OSC arguments.
extension JSONValue {
    /// Converts an OSC argument.
    init(_ argument: OSCArgument) {
        switch argument {
        case .string(let text): self = .text(text)
        case .boolean(let truth): self = .truth(truth)
        case .int32, .int64, .float, .double: self = argument.number.map { .number($0) } ?? .null
        case .blob, .timeTag, .null: self = .null
        }
    }

    /// Value as an OSC argument; nil for null, a list or an object.
    var argument: OSCArgument? {
        switch self {
        case .truth(let truth): .boolean(truth)
        case .number(let number): .double(number)
        case .whole(let whole): Int64(exactly: whole).map(OSCArgument.int64) ?? OSCArgument.double(Double(whole))
        case .text(let text): .string(text)
        case .null, .list, .object: nil
        }
    }
}
