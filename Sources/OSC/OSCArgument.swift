/// Argument of an OSC message. It is sent big-endian and padded to a multiple of four bytes.
package enum OSCArgument: Equatable, Sendable {
    /// `i`: 32-bit integer.
    case int32(Int32)
    /// `f`: single-precision number.
    case float(Float)
    /// `s`: text without zero bytes.
    case string(String)
    /// `b`: arbitrary bytes.
    case blob([UInt8])
    /// `d`: double-precision number.
    case double(Double)
    /// `h`: 64-bit integer.
    case int64(Int64)
    /// `t`: time tag.
    case timeTag(OSCTimeTag)
    /// `T` or `F`: Boolean without further bytes.
    case boolean(Bool)
    /// `N`: no value and no further bytes.
    case null

    /// Value of any numeric type as a number; nil for other arguments.
    package var number: Double? {
        switch self {
        case .int32(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .int64(let value): Double(value)
        case .string, .blob, .timeTag, .boolean, .null: nil
        }
    }

    /// Character of the argument in the type tag string.
    package var typeTag: UInt8 {
        switch self {
        case .int32: UInt8(ascii: "i")
        case .float: UInt8(ascii: "f")
        case .string: UInt8(ascii: "s")
        case .blob: UInt8(ascii: "b")
        case .double: UInt8(ascii: "d")
        case .int64: UInt8(ascii: "h")
        case .timeTag: UInt8(ascii: "t")
        case .boolean(let value): value ? UInt8(ascii: "T") : UInt8(ascii: "F")
        case .null: UInt8(ascii: "N")
        }
    }
}

/// NTP time: seconds since 1900-01-01 in the upper 32 bits, and their fraction in the lower 32 bits.
package struct OSCTimeTag: Hashable, Sendable {
    /// The 64 bits as sent.
    package let bits: UInt64

    /// Creates a time tag from the 64 bits as sent.
    package init(bits: UInt64) { self.bits = bits }

    /// Seconds from 1900-01-01 to 1970-01-01.
    package static let secondsTo1970 = 2_208_988_800.0

    /// Seconds since 1900-01-01, exact to a fraction of a microsecond.
    package var seconds: Double { Double(bits >> 32) + Double(bits & 0xFFFF_FFFF) / 4_294_967_296 }

    /// Creates the tag of a time in seconds since 1900-01-01, clamped to the range of tags.
    package init(seconds: Double) {
        let ticks = (seconds * 4_294_967_296).rounded()
        bits = ticks >= 0x1p64 ? .max : ticks > 0 ? UInt64(ticks) : 0
    }

    /// A bundle with this time tag takes effect on arrival.
    package static var immediately: OSCTimeTag { OSCTimeTag(bits: 1) }
}
