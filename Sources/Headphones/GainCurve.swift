import Glibc

/// A gain over frequency: points in hertz and dB, linear in between over the logarithm of frequency, constant outside.
///
/// That is how Equalizer APO reads its GraphicEQ line; responses with a point at every bin read the same way.
package struct GainCurve: Hashable, Sendable {
    /// Hertz, ascending, > 0; at least one.
    package let hertz: [Double]
    /// dB at these places.
    package let decibels: [Double]

    /// A curve through points in any order; of several at one frequency the last counts. nil without any, or where a
    /// frequency is not above 0 or a number not finite.
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

    /// dB at a frequency in hertz. O(log points).
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
