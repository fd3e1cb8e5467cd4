// Numbers from outside, for example from names, files, child processes, shared memory, packets, the environment or the
// command line. They may have any value, and a conversion or sum that does not fit would trap. One of these functions
// must check them before use.

extension Int {
    /// Rounds a number from outside; nil if the result lies outside `range` or the number is NaN.
    package init?(
        _ number: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero, within range: ClosedRange<Int>
    ) {
        guard let whole = Int(exactly: number.rounded(rule)), range.contains(whole) else { return nil }
        self = whole
    }

    /// Rounds a number from outside and clamps it to a range. NaN gives the lower limit.
    package init(
        clamping number: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero,
        to range: ClosedRange<Int>
    ) {
        guard number > Double(range.lowerBound) else {
            self = range.lowerBound
            return
        }
        self = Int(exactly: number.rounded(rule)).map { Swift.min($0, range.upperBound) } ?? range.upperBound
    }

    /// Parses a whole number in decimal digits with an optional sign; nil for other text or a number outside `range`.
    package init?(_ text: some StringProtocol, within range: ClosedRange<Int>) {
        guard let number = Int(text), range.contains(number) else { return nil }
        self = number
    }
}

extension Double {
    /// Parses a number; nil for other text or a number outside `range`. NaN and infinities give nil.
    package init?(_ text: some StringProtocol, within range: ClosedRange<Double>) {
        guard let number = Double(text), number.isFinite, range.contains(number) else { return nil }
        self = number
    }
}

extension Double {
    /// Parses a number with an optional unit, with or without a space, for example `-3`, `-3dB`, `-3 dB`. The minus
    /// sign may be the mathematical character. Returns nil for other text.
    package init?(_ text: some StringProtocol, unit: String) {
        var body = String(text)
        if body.hasPrefix("\u{2212}") { body = "-" + body.dropFirst() }
        if !unit.isEmpty, body.lowercased().hasSuffix(unit.lowercased()) {
            body.removeLast(unit.count)
            while body.hasSuffix(" ") { body.removeLast() }
        }
        self.init(body)
    }
}

extension FixedWidthInteger {
    /// Returns the sum, clamped to the type's range.
    package func addingSaturated(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the product, clamped to the type's range.
    package func multipliedSaturated(by other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// Returns the sum; nil if it lies outside `range`.
    package func adding(_ other: Self, within range: ClosedRange<Self>) -> Self? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow || !range.contains(sum) ? nil : sum
    }

    /// Returns the product; nil if it lies outside `range`.
    package func multiplied(by other: Self, within range: ClosedRange<Self>) -> Self? {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow || !range.contains(product) ? nil : product
    }
}
