import Gate
import Glibc

/// Detects rates at the end of a gyroscope's range, and estimates the rotation above the range, which was not measured.
///
/// A clipped rate reaches the end of the range with a slope and stays there, and no other rate is greater. At the usual
/// full scales it is recognised at the second equal value or later, or at the first if the rate rose steeply. At any
/// other full scale, four equal values must be the greatest so far while another axis moves. If a greater rate follows,
/// the range is withdrawn. The rotation above the range is the integral of a cubic between the two ends of the plateau,
/// with the slopes at these ends.
///
/// Rates are in the sensor's own axes. A value type. O(1) per sample.
package struct GyroscopeRange: Sendable {
    /// Full scales of motion gyroscopes, rad/s, from data sheets. They are the nominal scales and those of the greatest
    /// code (Bosch BMI270, InvenSense ICM-42688-P, WitMotion), and the scales from the sensitivities of the MPU-6050
    /// (131 LSB per °/s, halved repeatedly) and of ST's LSM6 (4.375 mdps, doubled repeatedly).
    private static let usual: [Double] = {
        let nominal = [125.0, 250, 500, 1000, 2000, 4000].flatMap { [$0, $0 * 32767 / 32768] }
        let codes = [32767.0, 32768]
        let ofMPU = [131.0, 65.5, 32.8, 16.4].flatMap { sensitivity in codes.map { $0 / sensitivity } }
        let ofLSM = [4.375e-3, 8.75e-3, 17.5e-3, 35e-3, 70e-3].flatMap { step in codes.map { $0 * step } }
        return (nominal + ofMPU + ofLSM).map { $0 * .pi / 180 }
    }()
    /// Least rate that may be the end of an unknown range, rad/s.
    private static let least = 100 * Double.pi / 180
    /// Permitted relative differences: between equal values, which text with six digits rounds, and between a value and
    /// a usual range.
    private static let (equality, accuracy) = (2e-6, 2e-5)
    /// Least extrapolated rate, as a multiple of the range, for clipping: with two or more equal values, and with a
    /// single value.
    private static let (ahead, steeplyAhead) = (1.02, 1.2)
    /// Standard deviation of the estimate, as a share of the estimate, without the uncertainty of the slopes.
    private static let uncertainty = 0.5
    /// Greatest estimate of one lost rotation, radians.
    private static let greatestTurn = 2 * Double.pi

    /// Greatest range whose end a rate has reached, rad/s; `nil` before the first, and after a rate above the range.
    package private(set) var range: Double?
    /// Number of samples at an end of the range.
    package private(set) var count = 0

    /// The range in words, such as "±250°/s"; `nil` if there is none.
    package var name: String? { range.map(Self.name) }

    /// Returns the text of a range in rad/s.
    static func name(_ range: Double) -> String { "±\(Int(clamping: range * 180 / .pi, to: 0...100_000))°/s" }

    private var axes = [Axis](repeating: Axis(), count: 3)
    private var lastRate: SIMD3<Double>?
    /// Greatest rate of any axis so far, rad/s.
    private var greatest = 0.0

    /// Starts without samples.
    package init() {}

    /// Evaluates the next rate, rad/s. Returns the clipping that it shows; `nil` without clipping. `time`: seconds,
    /// rising.
    package mutating func take(_ rate: SIMD3<Double>, at time: Double) -> Clipping? {
        let change = lastRate.map { rate - $0 } ?? .zero
        lastRate = rate
        greatest = max(greatest, abs(rate.x), abs(rate.y), abs(rate.z))
        if let range, greatest > (1 + 10 * Self.accuracy) * range { (self.range, count) = (nil, 0) }
        var (lost, deviations) = (SIMD3<Double>(0, 0, 0), SIMD3<Double>(0, 0, 0))
        var (isClipped, hasEnded) = (false, false)
        for axis in 0..<3 {
            let others = (abs(change.x) + abs(change.y) + abs(change.z)) - abs(change[axis])
            switch axes[axis].take(rate[axis], at: time, othersMove: others > 1e-5, greatest: greatest) {
            case .none: break
            case .stands(let scale):
                isClipped = true
                range = max(range ?? 0, scale)
            case .left(let turn, let uncertainty):
                hasEnded = true
                lost[axis] = turn
                deviations[axis] = uncertainty
            }
        }
        if isClipped { count += 1 }
        guard hasEnded else { return isClipped ? .lasting : nil }
        let errors = Matrix3(
            x: SIMD3(deviations.x, 0, 0), y: SIMD3(0, deviations.y, 0), z: SIMD3(0, 0, deviations.z))
        return .ended(lost: lost, errors: errors)
    }

    /// State of one axis.
    private struct Axis: Sendable {
        enum Finding {
            case none
            /// The rate is at the end of this range, rad/s.
            case stands(Double)
            /// The rate has left the end of the range: the rotation that was not measured, and its standard deviation,
            /// radians.
            case left(Double, deviation: Double)
        }

        /// A value: seconds, rad/s. `before`: the last values before the present run of equal values.
        private typealias Point = (time: Double, rate: Double)
        private var before: [Point] = []
        /// The run of equal values.
        private var run: (first: Point, last: Point, count: Int)?
        /// The plateau in progress: its value, the time at which the rate reached it, and the slope at that time.
        private var plateau: (rate: Double, start: Double, slope: Double)?
        /// The first value after the plateau.
        private var after: Point?
        private var othersMoved = false

        mutating func take(_ rate: Double, at time: Double, othersMove: Bool, greatest: Double) -> Finding {
            let point = (time: time, rate: rate)
            if let plateau { return goOn(plateau, point) }
            if let run, isEqual(rate, run.last.rate) {
                othersMoved = othersMoved || othersMove
                self.run = (run.first, point, run.count + 1)
            } else {
                if let run { note(run.last) }
                (run, othersMoved) = ((point, point, 1), false)
            }
            guard begins(greatest) else { return .none }
            plateau = entry()
            return .stands(abs(rate))
        }

        /// Continues a plateau, or ends it with the second value after it.
        private mutating func goOn(_ found: (rate: Double, start: Double, slope: Double), _ point: Point) -> Finding {
            if isEqual(point.rate, found.rate) {
                after = nil
                run?.last = point
                return .stands(abs(found.rate))
            }
            guard let first = after else {
                after = point
                return .none
            }
            let sign = found.rate < 0 ? -1.0 : 1
            let last = run?.last.time ?? first.time
            let below = sign * (found.rate - first.rate)
            let slope = max(sign * (first.rate - point.rate) / (point.time - first.time), below / (first.time - last))
            let end = slope > 0 ? max(last, min(first.time, first.time - below / slope)) : (last + first.time) / 2
            let length = max(0, end - found.start)
            (plateau, after, run) = (nil, nil, nil)
            before = [first, point]
            // Integral of the cubic Hermite polynomial that is 0 at both ends and has these slopes there.
            let turn = max(0, min(GyroscopeRange.greatestTurn, length * length * (found.slope + slope) / 12))
            // The slopes are known only to one sample.
            let step = first.time - last
            let deviation = GyroscopeRange.uncertainty * turn + max(found.slope, slope, 0) * step * step
            return .left(sign * turn, deviation: deviation)
        }

        private mutating func note(_ point: Point) {
            before.append(point)
            if before.count > 2 { before.removeFirst() }
        }

        /// Whether the run is the end of a range (see `GyroscopeRange`).
        private func begins(_ greatest: Double) -> Bool {
            guard let run, before.count == 2, case let rate = abs(run.first.rate), rate >= GyroscopeRange.least,
                rate >= greatest, case let slope = slopeBefore, slope > 0
            else { return false }
            let ahead = abs(before[1].rate + (run.first.rate < 0 ? -slope : slope) * (run.first.time - before[1].time))
            let isUsual = GyroscopeRange.usual.contains { abs(rate - $0) < GyroscopeRange.accuracy * $0 }
            switch run.count {
            case 1: return isUsual && ahead > GyroscopeRange.steeplyAhead * rate
            case 2, 3: return isUsual && (ahead > GyroscopeRange.ahead * rate || othersMoved)
            default: return othersMoved || isUsual && ahead > GyroscopeRange.ahead * rate
            }
        }

        /// Slope of the magnitude before the run, rad/s².
        private var slopeBefore: Double {
            let sign = (run?.first.rate ?? 0) < 0 ? -1.0 : 1
            return sign * (before[1].rate - before[0].rate) / max(1e-9, before[1].time - before[0].time)
        }

        /// Returns the plateau that the run begins, with start and slope from the values before it.
        private func entry() -> (rate: Double, start: Double, slope: Double)? {
            guard let run, before.count == 2 else { return nil }
            let below = abs(run.first.rate - before[1].rate)
            let slope = max(slopeBefore, below / max(1e-9, run.first.time - before[1].time))
            let start =
                slope > 0 ? max(before[1].time, min(run.first.time, before[1].time + below / slope)) : run.first.time
            return (run.first.rate, start, slope)
        }

        private func isEqual(_ a: Double, _ b: Double) -> Bool {
            a * b > 0 && abs(a - b) <= GyroscopeRange.equality * abs(a)
        }
    }
}
