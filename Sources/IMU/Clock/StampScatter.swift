import Gate

/// How the stamps of a window lie about a regular rate.
///
/// A line is fitted through them by least squares. Of white scatter σ they miss the line by σ, and each other by √2 σ;
/// of intervals that vary by themselves, σ, they miss each other by σ and the line by about σ √(n/15), which is twice
/// that for 64. So where they miss the line by less than each other they scatter, else they are as uneven as the
/// measurements were. Where most lie a whole number of periods apart, within 1 %, they are exact, and the others
/// losses; where all are multiples of one step, and within it of the line, they are rounded.
struct StampScatter: Sendable {
    /// Seconds per period, by the line; 0 where there is none.
    private(set) var period = 0.0
    /// RMS about the line, seconds, the greatest distance from it, and that of the last stamp.
    private(set) var (deviation, farthest, lastResidual) = (0.0, 0.0, 0.0)
    /// The step of which all advances are multiples, seconds; 0 where there is none, or where all are the same.
    private(set) var quantum = 0.0
    /// RMS of arrivals about a regular rate, seconds, by what the intervals between them differ.
    private(set) var arrivalDeviation = 0.0
    /// RMS of the advances about whole periods, seconds.
    private var advanceDeviation = 0.0
    private var areMostWhole = false
    private var areAllWhole = false
    private var areAllMultiples = false

    /// Seconds: what stamps of microseconds, read at once, are off by.
    private static let tolerance = 20e-6
    /// Seconds: what is left of a stamp's digits in a double.
    private static let resolution = 5e-6
    /// Shares of a period: scatter beyond which lost samples cannot be told from it, steps too fine to do harm.
    private static let (wide, fine) = (0.2, 0.03)

    /// Fits a line. `period`: as known, `nil` where it is to be found.
    init(_ window: [StampAdvance], period known: Double?) {
        fit(window, counting: true)
        if deviation > Self.wide * period, window.contains(where: { $0.count == nil }) { fit(window, counting: false) }
        guard period > 0 else { return }
        let squares = window.reduce(0) { sum, advance in
            // What was taken for a gap may have been none.
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
        // One stamp that is repeated is a message that came twice.
        areAllWhole = nearlyWholes + min(1, window.count { $0.step == 0 }) == window.count
        findQuantum(window)
    }

    /// What the stamps are; `nil` where the window does not say: rounded stamps may lie evenly for long.
    func judgement(after last: StampJudgement) -> StampJudgement? {
        if areAllWhole { return last == .rounded ? nil : .exact }
        if quantum > Self.fine * period, deviation < quantum { return .rounded }
        if areMostWhole { return .exact }
        return deviation < advanceDeviation ? .scattered : .exact
    }

    /// Whether three of five advances lie near multiples of their median, within a twentieth of it.
    static func isMostlyWhole(_ window: [StampAdvance]) -> Bool {
        let median = window.map(\.step).sorted()[window.count / 2]
        return 5 * window.count { abs($0.step - ($0.step / median).rounded() * median) < 0.05 * median }
            >= 3 * window.count
    }

    /// Finds how many periods each advance of a first window spans: where most lie near multiples of the median, the
    /// longer ones are losses; else nothing is known to be. False where the stamps do not advance.
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

/// What stamps are.
enum StampJudgement: Sendable {
    /// Too few have come.
    case unknown
    /// Those of measurements, regular or not.
    case exact
    /// Scattered about a regular rate.
    case scattered
    /// Rounded about a regular rate.
    case rounded
}
