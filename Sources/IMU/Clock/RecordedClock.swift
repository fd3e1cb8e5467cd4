import CRealtime

/// Times of the rows of a recording with their scatter removed.
///
/// Sensors measure at a regular rate, but times that an operating system records scatter about it. Without arrival
/// times a lost row looks like scatter, so the period is found by a method that losses do not disturb. It is the period
/// T at which the phases of all n times t agree best (Rayleigh's test of a period: |Σ exp(2πi·t/T)| / n). The times are
/// then replaced by those of a line with this period, whose phase and period follow the rows slowly. The number of
/// periods between two rows is the nearest whole number. The times are used unchanged if they are exact, if they have
/// no period, or if they scatter by half a period or more.
///
/// O(1) per row. While no period is found, the search takes O(rows) per row, at most 512.
package struct RecordedClock: Sendable {
    /// Numbers of rows over which a period is sought and, once found, confirmed.
    private static let lengths = [32, 64, 128, 256, 512]
    /// Least value of Rayleigh's test for a period, in units of n^−½, the RMS value for times without a period.
    private static let significance = 3.3
    /// Scatter as a share of the period below which times count as exact.
    private static let exactShare = 0.01
    /// Gains of the line for phase and period, critically damped.
    private static let (phaseGain, periodGain) = (1.0 / 32, 1.0 / 4096)
    /// Longest step between rows over which periods are counted, seconds.
    private static let longest = 0.5

    /// RMS scatter about a regular rate of the last rows whose times were replaced, seconds; 0 if none were.
    package private(set) var scatter = 0.0
    /// Number of rows whose times were replaced.
    package private(set) var replaced = 0

    private var times: [Double] = []
    private var length = 0
    private var period = 0.0
    private var line = 0.0
    private var isFitted = false
    /// Rows since the line began.
    private var age = 0.0
    private var drift = 0.0
    private var last: Double?
    private var result = 0.0

    /// Starts without rows.
    package init() {}

    /// Returns the time of a row, seconds, later than the previous row's. `time`: the row's own time, rising.
    package mutating func time(of time: Double) -> Double {
        guard let last else {
            (self.last, result) = (time, time)
            times.append(time)
            return time
        }
        self.last = time
        let step = time - last
        if step > Self.longest {
            times.removeAll(keepingCapacity: true)
            (line, age, drift) = (time, 0, 0)
        } else if period > 0 {
            follow(time)
        }
        times.append(time)
        if times.count == Self.lengths[length] { judge() }
        guard period > 0 else {
            // The previous row may have a replaced time that is later than this row's time.
            result = max(time, result + 0.1 * step)
            return result
        }
        replaced += 1
        let bounded = min(max(line, time - 4 * scatter), time + 4 * scatter)
        result = max(bounded, result + 0.1 * period)
        return result
    }

    /// Moves the line on by the number of periods since the previous row.
    private mutating func follow(_ time: Double) {
        let periods = max(1, ((time - line) / period).rounded())
        line += periods * period
        let residual = time - line
        age += 1
        line += max(Self.phaseGain, 1 / (age + 1)) * residual
        period += Self.periodGain * residual
        // Residuals on one side, or large ones, mean that the rate has changed.
        drift += (residual - drift) / 8
        if abs(drift) > 2 * scatter + 0.05 * period || abs(residual) > 6 * scatter + 0.1 * period { restart() }
    }

    private mutating func restart() {
        times.removeAll(keepingCapacity: true)
        (period, length, drift, age, isFitted) = (0, 0, 0, 0, false)
    }

    /// Searches the last rows for the period, or confirms it.
    private mutating func judge() {
        let most = Self.lengths[length]
        if period > 0 {
            guard Self.phase(times, period) * Double(most).squareRoot() > Self.significance / 2 else {
                restart()
                return
            }
            fit()
            times.removeAll(keepingCapacity: true)
            return
        }
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
        let median = steps[steps.count / 2]
        let whole = steps.allSatisfy { abs($0 - ($0 / median).rounded() * median) < 3 * Self.exactShare * median }
        if whole || median <= 0 {
            (length, times) = (1, [])
            return
        }
        guard let found = Self.period(of: times, near: median) else {
            if length + 1 < Self.lengths.count {
                length += 1
            } else {
                times.removeFirst(times.count / 2)
            }
            return
        }
        period = found
        fit()
        length = max(1, length)
        times.removeAll(keepingCapacity: true)
        if scatter < Self.exactShare * period { (period, scatter, isFitted) = (0, 0, false) }
    }

    /// Measures the scatter of the rows about a line fitted by least squares. The first fit after a search also sets
    /// the line that replaces the times, and its period.
    private mutating func fit() {
        let origin = times[0]
        let shift = Self.offset(times, period)
        let points = times.map { (((($0 - origin) - shift) / period).rounded(), $0 - origin) }
        let count = Double(points.count)
        let (x, y) = points.reduce((0, 0)) { ($0.0 + $1.0 / count, $0.1 + $1.1 / count) }
        let squares = points.reduce(0) { $0 + ($1.0 - x) * ($1.0 - x) }
        let products = points.reduce(0) { $0 + ($1.0 - x) * ($1.1 - y) }
        guard squares > 0 else { return }
        let slope = products / squares
        let start = y - slope * x
        let residual = points.reduce(0) { sum, point in
            let off = point.1 - start - slope * point.0
            return sum + off * off / count
        }
        scatter = residual.squareRoot()
        guard !isFitted else { return }
        isFitted = true
        (period, line, age) = (slope, origin + start + slope * points[points.count - 1].0, count)
    }

    /// Returns the period near `step` at which the phases of the times agree best; nil if it is not significant.
    private static func period(of times: [Double], near step: Double) -> Double? {
        let count = Double(times.count)
        let span = times[times.count - 1] - times[0]
        // Rows in bursts have no rate. They are not searched, because this would take long.
        guard span < 2 * step * count else { return nil }
        let (lowest, highest) = (1 / (1.15 * step), 1 / (0.7 * step))
        let grid = 0.25 / span
        var best = (phase: 0.0, frequency: 0.0)
        var frequency = lowest
        while frequency <= highest {
            let found = phase(times, 1 / frequency)
            if found > best.phase { best = (found, frequency) }
            frequency += grid
        }
        guard best.phase * count.squareRoot() > significance else { return nil }
        return 1 / best.frequency
    }

    /// Returns the magnitude of the mean of the unit phasors of the times at a period: 1 if all have one phase, about
    /// n^−½ for times without that period.
    private static func phase(_ times: [Double], _ period: Double) -> Double {
        let (x, y) = phasor(times, period)
        return (x * x + y * y).squareRoot()
    }

    /// Returns the common phase of the times relative to the first time, seconds, within ± half a period.
    private static func offset(_ times: [Double], _ period: Double) -> Double {
        let (x, y) = phasor(times, period)
        return prc_atan2(y, x) / (2 * .pi) * period
    }

    private static func phasor(_ times: [Double], _ period: Double) -> (Double, Double) {
        var (x, y) = (0.0, 0.0)
        for time in times {
            let turns = (time - times[0]) / period
            let angle = 2 * .pi * (turns - turns.rounded())
            x += prc_cos(angle)
            y += prc_sin(angle)
        }
        return (x / Double(times.count), y / Double(times.count))
    }
}
