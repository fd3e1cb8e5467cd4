import Gate
import OSC

/// JSON as arguments of commands.
extension JSONValue {
    /// An argument of a command.
    init(_ argument: OSCArgument) {
        switch argument {
        case .string(let text): self = .text(text)
        case .boolean(let truth): self = .truth(truth)
        case .int32, .int64, .float, .double: self = argument.number.map { .number($0) } ?? .null
        case .blob, .timeTag, .null: self = .null
        }
    }

    /// As an argument of a command; nil for what is none.
    var argument: OSCArgument? {
        switch self {
        case .truth(let truth): .boolean(truth)
        case .number(let number): .double(number)
        case .whole(let whole): .int64(whole)
        case .text(let text): .string(text)
        case .null, .list, .object: nil
        }
    }
}
