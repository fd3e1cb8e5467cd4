/// An argument of a command, whatever door it came through.
package enum CommandValue: Sendable, Equatable {
    /// A whole number of 32 bits, and of 64.
    case whole(Int32), long(Int64)
    /// A number of single precision, as OSC has it.
    case single(Float)
    /// A number.
    case number(Double)
    /// A text.
    case text(String)
    /// True or false.
    case truth(Bool)
    /// What is none of these, as null and a blob are.
    case other

    /// Any number; nil for anything else.
    package var double: Double? {
        switch self {
        case .whole(let number): Double(number)
        case .long(let number): Double(number)
        case .single(let number): Double(number)
        case .number(let number): number
        case .truth, .text, .other: nil
        }
    }

    /// A number, a word or a truth value as it would be written; nil for what is neither.
    package var written: String? {
        switch self {
        case .text(let text): text
        case .truth(let value): value ? "true" : "false"
        case .whole, .long, .single, .number: double.map { Int(exactly: $0).map(String.init) ?? String($0) }
        case .other: nil
        }
    }

    /// Whether a button that sent this is down: 1 or true; up: 0 or false. nil: no button sends this.
    package var isDown: Bool? {
        if case .truth(let isDown) = self { return isDown }
        return switch double {
        case 1: true
        case 0: false
        default: nil
        }
    }
}

/// The arguments of a command as its row reads them, one after the other. What is not as the row wants it makes all of
/// it unusable, and reads as some value of the kind.
package struct CommandReader {
    /// The plugin that the address names; empty where it names none.
    package let name: String
    /// Values that are not read yet.
    package private(set) var left: ArraySlice<CommandValue>
    /// Whether all that was read was of its kind.
    package private(set) var isUsable = true

    /// A reader of values that stand behind an address, with the plugin that the address names.
    package init(_ values: [CommandValue], of name: String) {
        (self.name, left) = (name, values[...])
    }

    /// Whether all was read, and as the row wants it.
    package var isWhole: Bool { isUsable && left.isEmpty }

    /// What `read` reads, where something is left.
    package mutating func perhaps<Value>(_ read: (inout CommandReader) -> Value) -> Value? {
        left.isEmpty ? nil : read(&self)
    }

    /// Takes the next argument as `read` has it.
    private mutating func next<Value>(else value: Value, _ read: (CommandValue) -> Value?) -> Value {
        if let found = left.popFirst().flatMap(read) { return found }
        isUsable = false
        return value
    }

    /// A text of so many bytes.
    package mutating func text(_ bytes: ClosedRange<Int> = 0...Int.max) -> String {
        next(else: "") { if case .text(let text) = $0, bytes.contains(text.utf8.count) { text } else { nil } }
    }

    /// A text as `read` has it.
    package mutating func text<Value>(else value: Value, _ read: (String) -> Value?) -> Value {
        next(else: value) { if case .text(let text) = $0 { read(text) } else { nil } }
    }

    /// One of a type's words.
    package mutating func word<Word: RawRepresentable<String>>(_ standard: Word) -> Word {
        text(else: standard) { Word(rawValue: $0) }
    }

    /// A number within a range.
    package mutating func number(_ range: ClosedRange<Double>) -> Double {
        next(else: range.lowerBound) { $0.double.flatMap { range.contains($0) ? $0 : nil } }
    }

    /// A whole number of 32 bits.
    package mutating func count() -> Int { next(else: 0) { $0.double.flatMap(Int32.init(exactly:)).map(Int.init) } }

    /// Anything that can be written, as that.
    package mutating func written() -> String { next(else: "") { $0.written } }

    /// A whole number, or a text that is one.
    package mutating func whole<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
        next(else: 0) { $0.written.flatMap { Number($0) } }
    }

    /// A frame of JACK's clock, which counts in 32 bits: as a number of 32 bits those of the upper half are negative.
    /// As a text it may be 0 or 1, which as numbers are a button's.
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

    /// On, off, or (nil: nothing, or `toggle`) the other of the two.
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
