// Modules that import this module process numbers from outside. The standard library's conversion of a floating-point
// number traps if the value does not fit. The initialisers below replace that conversion and are deprecated, so that
// using it is a compiler error. Use `Int(_:within:)`, `Int(clamping:to:)` or `Int(exactly:)` instead.

extension Int {
    /// Not for use. Check the range of a number from outside first.
    @available(*, deprecated, message: "range the number: Int(_:within:), Int(clamping:to:) or Int(exactly:)")
    package init(_ number: Double) { self.init(clamping: number, .towardZero, to: Int.min...Int.max) }
}

extension Int8 {
    /// Not for use. Check the range of a number from outside first.
    @available(*, deprecated, message: "range the number: Int8(exactly:), or Int(clamping:to:) before")
    package init(_ number: Double) { self = Int8(exactly: number.rounded(.towardZero)) ?? 0 }
}

extension Int16 {
    /// Not for use. Check the range of a number from outside first.
    @available(*, deprecated, message: "range the number: Int16(exactly:), or Int(clamping:to:) before")
    package init(_ number: Double) { self = Int16(exactly: number.rounded(.towardZero)) ?? 0 }
}

extension Int32 {
    /// Not for use. Check the range of a number from outside first.
    @available(*, deprecated, message: "range the number: Int32(exactly:), or Int(clamping:to:) before")
    package init(_ number: Double) { self = Int32(exactly: number.rounded(.towardZero)) ?? 0 }
}

extension Int64 {
    /// Not for use. Check the range of a number from outside first.
    @available(*, deprecated, message: "range the number: Int64(exactly:), or Int(clamping:to:) before")
    package init(_ number: Double) { self = Int64(exactly: number.rounded(.towardZero)) ?? 0 }
}

extension UInt8 {
    /// Not for use. Check the range of a number from outside first.
    @available(*, deprecated, message: "range the number: UInt8(exactly:), or Int(clamping:to:) before")
    package init(_ number: Double) { self = UInt8(exactly: number.rounded(.towardZero)) ?? 0 }
}

extension UInt16 {
    /// Not for use. Check the range of a number from outside first.
    @available(*, deprecated, message: "range the number: UInt16(exactly:), or Int(clamping:to:) before")
    package init(_ number: Double) { self = UInt16(exactly: number.rounded(.towardZero)) ?? 0 }
}

extension UInt32 {
    /// Not for use. Check the range of a number from outside first.
    @available(*, deprecated, message: "range the number: UInt32(exactly:), or Int(clamping:to:) before")
    package init(_ number: Double) { self = UInt32(exactly: number.rounded(.towardZero)) ?? 0 }
}

extension UInt64 {
    /// Not for use. Check the range of a number from outside first.
    @available(*, deprecated, message: "range the number: UInt64(exactly:), or Int(clamping:to:) before")
    package init(_ number: Double) { self = UInt64(exactly: number.rounded(.towardZero)) ?? 0 }
}
