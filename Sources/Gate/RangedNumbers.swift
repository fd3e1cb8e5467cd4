// Numbers from outside: a name, a file, a child process, shared memory, a packet, the environment, a command line. Any
// bits may come; a conversion or a sum that does not fit ends the program. They pass one of these before anything is
// made of them.

extension Int {
    /// The whole number that a number from outside rounds to; nil where that lies outside `range` or it is no number.
    package init?(
        _ number: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero, within range: ClosedRange<Int>
    ) {
        guard let whole = Int(exactly: number.rounded(rule)), range.contains(whole) else { return nil }
        self = whole
    }

    /// The whole number of a range nearest to a number from outside; of what is no number, the least.
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

    /// The whole number that a text spells in decimal digits; nil where it spells none, or one outside `range`.
    package init?(_ text: some StringProtocol, within range: ClosedRange<Int>) {
        guard let number = Int(text), range.contains(number) else { return nil }
        self = number
    }
}

extension Double {
    /// The number that a text spells; nil where it spells none, or one outside `range`: NaN and infinities never pass.
    package init?(_ text: some StringProtocol, within range: ClosedRange<Double>) {
        guard let number = Double(text), number.isFinite, range.contains(number) else { return nil }
        self = number
    }
}

extension FixedWidthInteger {
    /// The sum; the greatest or least number where it does not fit.
    package func addingSaturated(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The product; the greatest or least number where it does not fit.
    package func multipliedSaturated(by other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// The sum; nil where it lies outside `range`.
    package func adding(_ other: Self, within range: ClosedRange<Self>) -> Self? {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow || !range.contains(sum) ? nil : sum
    }

    /// The product; nil where it lies outside `range`.
    package func multiplied(by other: Self, within range: ClosedRange<Self>) -> Self? {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow || !range.contains(product) ? nil : product
    }
}
