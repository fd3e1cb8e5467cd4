import Loading
import Stages

/// An argument of a command, from any control interface.
package enum CommandValue: Sendable, Equatable {
    /// A whole number of 32 bits; a whole number of 64 bits.
    case whole(Int32), long(Int64)
    /// A number of single precision, an OSC float.
    case single(Float)
    /// A number of double precision.
    case number(Double)
    /// A text.
    case text(String)
    /// True or false.
    case truth(Bool)
    /// Any other type, for example null or a blob.
    case other

    /// Returns the arguments that set a parameter to a value.
    package static func values(of value: ParameterValue) -> [CommandValue] {
        switch value {
        case .numbers(let numbers): numbers.map { .number($0) }
        case .word(let word): [.text(word)]
        }
    }

    /// The value of any number; nil otherwise.
    package var double: Double? {
        switch self {
        case .whole(let number): Double(number)
        case .long(let number): Double(number)
        case .single(let number): Double(number)
        case .number(let number): number
        case .truth, .text, .other: nil
        }
    }

    /// The argument as text, for a number, a word or a truth value; nil otherwise.
    package var written: String? {
        switch self {
        case .text(let text): text
        case .truth(let value): value ? "true" : "false"
        case .whole, .long, .single, .number: double.map { Int(exactly: $0).map(String.init) ?? String($0) }
        case .other: nil
        }
    }

    /// State of a button that sent this value: pressed for 1 or true, released for 0 or false; nil for any other value.
    package var isDown: Bool? {
        if case .truth(let isDown) = self { return isDown }
        return switch double {
        case 1: true
        case 0: false
        default: nil
        }
    }
}

/// Reader of a command's arguments, one after the other. For a missing or invalid argument it returns nil, and the
/// whole list counts as unusable.
struct CommandReader {
    /// Name of the plugin in the address; empty without one.
    let name: String
    /// Arguments that are not read yet.
    private(set) var left: ArraySlice<CommandValue>
    /// Whether all arguments read so far were present, of the required kind and within their range.
    private(set) var isUsable = true
    /// Reason why an argument of the required kind is invalid; nil if there is none.
    private(set) var fault: SessionError?

    /// Creates a reader of the arguments of an address, with the plugin's name from the address.
    init(_ values: [CommandValue], of name: String) {
        (self.name, left) = (name, values[...])
    }

    /// Whether all arguments were read and are valid.
    var isWhole: Bool { isUsable && fault == nil && left.isEmpty }

    /// Notes the reason why an argument is invalid.
    mutating func refuse(_ reason: SessionError) { fault = reason }

    /// Reads the next argument with `read`, which returns nil for an invalid argument.
    private mutating func next<Value>(_ read: (CommandValue) -> Value?) -> Value? {
        if let found = left.popFirst().flatMap(read) { return found }
        isUsable = false
        return nil
    }

    /// Reads a text and converts it with `read`, which returns nil for an invalid text.
    mutating func text<Value>(_ read: (String) -> Value?) -> Value? {
        next { if case .text(let text) = $0 { read(text) } else { nil } }
    }

    /// Reads a number within a range.
    mutating func number(_ range: ClosedRange<Double>) -> Double? {
        next { $0.double.flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Reads a whole number of 32 bits.
    mutating func count() -> Int? { next { $0.double.flatMap(Int32.init(exactly:)).map(Int.init) } }

    /// Reads a number, a word or a truth value, as text.
    mutating func written() -> String? { next { $0.written } }

    /// Reads a whole number, or a text that holds one, within a range.
    mutating func whole<Number: FixedWidthInteger>(
        _ range: ClosedRange<Number> = Number.min...Number.max
    ) -> Number? {
        next { $0.written.flatMap { Number($0) }.flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Reads a frame of JACK's clock, an unsigned number of 32 bits. In a signed 32-bit number, frames from 2³¹ on are
    /// negative. Frames 0 and 1 are sent as text, because these numbers are button values.
    mutating func frame() -> UInt32? {
        next { value in
            switch value {
            case .whole(let frame): UInt32(bitPattern: frame)
            case .long(let frame): UInt32(exactly: frame)
            case .number(let frame): Int32(exactly: frame).map { UInt32(bitPattern: $0) } ?? UInt32(exactly: frame)
            case .text(let frame): UInt32(frame)
            case .single, .truth, .other: nil
            }
        }
    }

    /// Reads `on`, `off` or `toggle`, which is also the meaning of a missing argument. The inner value is nil for
    /// `toggle`. Returns nil for an invalid argument.
    mutating func state() -> Bool?? {
        guard !left.isEmpty else { return .some(nil) }
        return next { value -> Bool?? in
            if let isDown = value.isDown { return isDown }
            return switch value {
            case .text("toggle"): .some(nil)
            case .text("on"), .text("1"), .text("true"): true
            case .text("off"), .text("0"), .text("false"): false
            default: nil
            }
        }
    }
}
