import Gate

/// Scatter of the stamps of a window about a regular rate.
///
/// A line is fitted to the stamps by least squares. White scatter σ causes residuals of σ from the line and errors of
/// √2 σ in the advances. Intervals that vary independently by σ cause errors of σ in the advances and residuals of
/// about σ √(n/15) for n stamps, which is 2 σ for 64 stamps. So residuals smaller than the errors of the advances mean
/// scatter; otherwise the measurements themselves were uneven. If most advances are whole periods within 1 %, the
/// stamps are exact and the other advances are losses. If all advances are multiples of one step, and the RMS residual
/// is below this step, the stamps are rounded.
struct StampScatter: Sendable {
    /// Slope of the line, seconds per period; 0 if there is none.
    private(set) var period = 0.0
    /// Residuals of the line, seconds: RMS, greatest magnitude, and residual of the last stamp.
    private(set) var (deviation, farthest, lastResidual) = (0.0, 0.0, 0.0)
    /// Step of which all advances are multiples, seconds; 0 if there is none, or if all advances are equal.
    private(set) var quantum = 0.0
    /// RMS deviation of the arrivals from a regular rate, seconds, computed from the errors of their intervals.
    private(set) var arrivalDeviation = 0.0
    /// RMS deviation of the advances from whole periods, seconds.
    private var advanceDeviation = 0.0
    private var areMostWhole = false
    private var areAllWhole = false

    /// Tolerance for stamps that are taken without delay and sent in microseconds; seconds.
    private static let tolerance = 20e-6
    /// Differences of advances up to this value, seconds, count as rounding errors in the search for a common step.
    private static let resolution = 5e-6
    /// Limits as shares of a period: scatter above `wide` hides lost samples, steps below `fine` are harmless.
    private static let (wide, fine) = (0.2, 0.03)

    /// Fits a line. `period`: the known period; `nil` before it is found.
    init(_ window: [StampAdvance], period known: Double?) {
        fit(window, counting: true)
        if deviation > Self.wide * period, window.contains(where: { $0.count == nil }) { fit(window, counting: false) }
        guard period > 0 else { return }
        let squares = window.reduce(0) { sum, advance in
            // An assumed gap may be wrong, so the smaller deviation counts.
            let off = min(abs(advance.interval - Double(advance.periods) * period), abs(advance.interval - period))
            return sum + off * off
        }
        arrivalDeviation = (squares / Double(2 * window.count)).squareRoot()
        let usual = known ?? period
        var (wholes, nearlyWholes) = (0, 0)
        for advance in window {
            let count = advance.count.map(Double.init) ?? (advance.step / usual).rounded()
            let off = abs(advance.step - count * usual) - Self.tolerance
            if off < 0.01 * usual { wholes += 1 }
            if off < Self.fine * usual * max(1, abs(count)), count != 0 { nearlyWholes += 1 }
        }
        areMostWhole = 5 * wholes >= 3 * window.count
        // One repeated stamp is permitted: it is a message that was received twice.
        areAllWhole = nearlyWholes + min(1, window.count { $0.step == 0 }) == window.count
        findQuantum(window)
    }

    /// Returns the judgement on the stamps. Nil if the stamps were last judged as rounded and now all advances are near
    /// whole periods (apart from one repeated stamp at most), because rounded stamps may be evenly spaced for a long
    /// time.
    func judgement(after last: StampJudgement) -> StampJudgement? {
        if areAllWhole { return last == .rounded ? nil : .exact }
        if quantum > Self.fine * period, deviation < quantum { return .rounded }
        if areMostWhole { return .exact }
        return deviation < advanceDeviation ? .scattered : .exact
    }

    /// Returns whether at least 60 % of the advances are multiples of their median, within 5 % of the median.
    static func isMostlyWhole(_ window: [StampAdvance]) -> Bool {
        let median = window.map(\.step).sorted()[window.count / 2]
        return 5 * window.count { abs($0.step - ($0.step / median).rounded() * median) < 0.05 * median }
            >= 3 * window.count
    }

    /// Finds the number of periods in each advance of a first window. If most advances are near multiples of the
    /// median, the longer ones contain losses. Otherwise no loss is assumed. Returns false if the stamps do not
    /// advance.
    static func count(_ window: inout [StampAdvance]) -> Bool {
        let mean = window.reduce(0) { $0 + $1.step } / Double(window.count)
        guard mean > 1e-5 else { return false }
        let median = window.map(\.step).sorted()[window.count / 2]
        guard median > 0.5 * mean else { return true }
        let near = window.count { abs($0.step - ($0.step / median).rounded() * median) < 0.25 * median }
        guard 5 * near > 4 * window.count else { return true }
        for index in window.indices where window[index].count == nil {
            window[index].periods = Int(clamping: window[index].step / median, to: 1...1 << 40)
        }
        return true
    }

    private mutating func fit(_ window: [StampAdvance], counting: Bool) {
        let count = Double(window.count)
        var (index, stamp, sumIndex, sumStamp, squares, products) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for advance in window {
            index += counting ? Double(advance.periods) : 1
            stamp += advance.step
            sumIndex += index
            sumStamp += stamp
            squares += index * index
            products += index * stamp
        }
        let spread = squares - sumIndex * sumIndex / count
        period = spread > 0 ? max(0, (products - sumIndex * sumStamp / count) / spread) : 0
        let offset = (sumStamp - period * sumIndex) / count
        (index, stamp, farthest) = (0, 0, 0)
        var (ofLine, ofAdvances) = (0.0, 0.0)
        for advance in window {
            let periods = counting ? Double(advance.periods) : 1
            index += periods
            stamp += advance.step
            lastResidual = stamp - offset - period * index
            farthest = max(farthest, abs(lastResidual))
            ofLine += lastResidual * lastResidual
            let off = advance.step - periods * period
            ofAdvances += off * off
        }
        (deviation, advanceDeviation) = ((ofLine / count).squareRoot(), (ofAdvances / count).squareRoot())
    }

    private mutating func findQuantum(_ window: [StampAdvance]) {
        var (common, least, most) = (0.0, Double.infinity, 0.0)
        for advance in window {
            (least, most) = (min(least, advance.step), max(most, advance.step))
            // Euclid's algorithm.
            var (a, b) = (max(common, abs(advance.step)), min(common, abs(advance.step)))
            while b > Self.resolution { (a, b) = (b, abs(a - b * (a / b).rounded())) }
            common = a
        }
        quantum = most - least > Self.resolution && common > 10 * Self.resolution ? common : 0
    }
}

/// Judgement on stamps.
enum StampJudgement: Sendable {
    /// Too few stamps so far.
    case unknown
    /// Times of the measurements, regular or not.
    case exact
    /// Scattered about a regular rate.
    case scattered
    /// Rounded about a regular rate.
    case rounded
}
