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

/// Reader of a command's arguments, one after the other. For a missing or invalid argument a default value is returned,
/// and the whole list counts as unusable.
package struct CommandReader {
    /// Name of the plugin in the address; empty without one.
    package let name: String
    /// Arguments that are not read yet.
    package private(set) var left: ArraySlice<CommandValue>
    /// Whether all arguments requested so far were present and valid.
    package private(set) var isUsable = true

    /// Creates a reader of the arguments of an address, with the plugin's name from the address.
    package init(_ values: [CommandValue], of name: String) {
        (self.name, left) = (name, values[...])
    }

    /// Whether all arguments were read and are valid.
    package var isWhole: Bool { isUsable && left.isEmpty }

    /// Returns the result of `read`, or nil if no argument is left.
    package mutating func perhaps<Value>(_ read: (inout CommandReader) -> Value) -> Value? {
        left.isEmpty ? nil : read(&self)
    }

    /// Reads the next argument with `read`.
    private mutating func next<Value>(else value: Value, _ read: (CommandValue) -> Value?) -> Value {
        if let found = left.popFirst().flatMap(read) { return found }
        isUsable = false
        return value
    }

    /// Reads a text whose length in bytes is within a range.
    package mutating func text(_ bytes: ClosedRange<Int> = 0...Int.max) -> String {
        next(else: "") { if case .text(let text) = $0, bytes.contains(text.utf8.count) { text } else { nil } }
    }

    /// Reads a text and converts it with `read`.
    package mutating func text<Value>(else value: Value, _ read: (String) -> Value?) -> Value {
        next(else: value) { if case .text(let text) = $0 { read(text) } else { nil } }
    }

    /// Reads one of the words of a type.
    package mutating func word<Word: RawRepresentable<String>>(_ standard: Word) -> Word {
        text(else: standard) { Word(rawValue: $0) }
    }

    /// Reads a number within a range.
    package mutating func number(_ range: ClosedRange<Double>) -> Double {
        next(else: range.lowerBound) { $0.double.flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Reads a whole number of 32 bits.
    package mutating func count() -> Int { next(else: 0) { $0.double.flatMap(Int32.init(exactly:)).map(Int.init) } }

    /// Reads a number, a word or a truth value, as text.
    package mutating func written() -> String { next(else: "") { $0.written } }

    /// Reads a whole number, or a text that holds one, within a range.
    package mutating func whole<Number: FixedWidthInteger>(
        _ range: ClosedRange<Number> = Number.min...Number.max
    ) -> Number {
        next(else: 0) { $0.written.flatMap { Number($0) }.flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Reads a position in a chain of plugins, from 0.
    package mutating func position() -> Int { whole(0...Int.max) }

    /// Reads a frame of JACK's clock, an unsigned number of 32 bits. In a signed 32-bit number, frames from 2³¹ on are
    /// negative. Frames 0 and 1 are sent as text, because these numbers are button values.
    package mutating func frame() -> UInt32 {
        next(else: 0) { value in
            switch value {
            case .whole(let frame): UInt32(bitPattern: frame)
            case .long(let frame): UInt32(exactly: frame)
            case .number(let frame): Int32(exactly: frame).map { UInt32(bitPattern: $0) } ?? UInt32(exactly: frame)
            case .text(let frame): UInt32(frame)
            case .single, .truth, .other: nil
            }
        }
    }

    /// Reads on or off. Returns nil for `toggle` or no argument, which means `toggle`, and for an invalid argument.
    package mutating func state() -> Bool? {
        guard !left.isEmpty else { return nil }
        return next(else: nil) { value -> Bool?? in
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
