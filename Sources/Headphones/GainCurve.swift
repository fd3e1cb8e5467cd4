import Glibc

/// A gain over frequency: points in hertz and dB. Between the points the gain is linear over log frequency; outside
/// them it is constant.
///
/// Equalizer APO evaluates its GraphicEQ line in this way. The magnitude of a sound file has the same form, with a
/// point at every bin.
package struct GainCurve: Hashable, Sendable {
    /// Frequencies, hertz, ascending, > 0; at least one.
    package let hertz: [Double]
    /// Gains at these frequencies, dB.
    package let decibels: [Double]

    /// Creates a curve through points in any order. If several have the same frequency, the last is used. Nil without
    /// points, or if a frequency is not above 0 or a number is not finite.
    package init?(_ points: [(hertz: Double, decibels: Double)]) {
        guard !points.isEmpty, points.allSatisfy({ $0.hertz > 0 && $0.hertz.isFinite && $0.decibels.isFinite }) else {
            return nil
        }
        var (hertz, decibels) = ([Double](), [Double]())
        for point in points.enumerated().sorted(by: { ($0.element.hertz, $0.offset) < ($1.element.hertz, $1.offset) }) {
            if hertz.last == point.element.hertz {
                decibels[decibels.count - 1] = point.element.decibels
            } else {
                hertz.append(point.element.hertz)
                decibels.append(point.element.decibels)
            }
        }
        (self.hertz, self.decibels) = (hertz, decibels)
    }

    /// Returns the gain at a frequency in hertz, dB. O(log points).
    package func value(at frequency: Double) -> Double {
        guard frequency > hertz[0] else { return decibels[0] }
        guard frequency < hertz[hertz.count - 1] else { return decibels[decibels.count - 1] }
        var (low, high) = (0, hertz.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if hertz[middle] <= frequency { low = middle } else { high = middle }
        }
        let share = log(frequency / hertz[low]) / log(hertz[high] / hertz[low])
        return decibels[low] + share * (decibels[high] - decibels[low])
    }
}
