import Geometry
import Glibc
import HRTF
import Signal

/// Compares the levels at the ears at low frequencies. Finds a microphone that is fainter than the other one, and a
/// gain that has changed between takes.
///
/// From 100 to 300 Hz a head hardly shadows an ear: the levels differ by the distances of the ears from a loudspeaker
/// that is near, and by the room. What remains in all directions alike is the difference of the microphones and their
/// gains, which stays the same in a measurement.
package enum EarLevels {
    /// Level of a take: at the left ear less that at the right, less the expected one, dB.
    package struct Level: Hashable, Sendable {
        /// The level, dB: of several loudspeakers the median.
        package var decibels: Double
        /// Number of loudspeakers that were compared.
        package var loudspeakers: Int

        /// Makes the level of a take from those of its loudspeakers; nil without any.
        package init?(of levels: [Double]) {
            guard let median = EarLevels.median(levels) else { return nil }
            (decibels, loudspeakers) = (median, levels.count)
        }
    }

    /// Frequencies that are compared, hertz.
    static let band = 100.0...300.0
    /// Part of a response that is compared, seconds: `lead` before the onset to `length` after it. The sound fades out
    /// over the last half of `length`. The later sound of a room differs more between the ears.
    private static let lead = 0.005, length = 0.010
    /// The levels are compared if the part is this much above the end of the response at the louder ear, a power ratio:
    /// 10 dB.
    private static let leastMargin = 10.0
    /// Largest accepted deviation of a take from the median of the other takes, dB: of a take of several loudspeakers,
    /// over which the room averages out, and of a take of one. In 40 simulated rooms (rigid sphere, image sources,
    /// loudspeakers 0.5 to 2 m away, also beside bare walls) takes without faults deviate by up to 0.8 and 4.6 dB. Both
    /// are doubled while there is one other take, which may deviate to the opposite side.
    static let mostChange = (several: 3.0, one: 5.0)
    /// Largest accepted difference, dB, of a take of several loudspeakers and of a take of one: unlike capsules and
    /// gains of up to ±3 dB each, and the room.
    static let mostDifference = (several: 9.0, one: 11.0)

    /// Returns the level at the left ear less that at the right, dB, in the first sound of a loudspeaker's responses.
    /// Returns nil if this sound does not stand out of the noise, or the responses are too short. O(n log n).
    static func difference(_ ears: [[Double]], sampleRate: Double) -> Double? {
        let count = Int((lead + length) * sampleRate)
        guard ears.allSatisfy({ $0.count >= 2 * count }) else { return nil }
        let peaks = ears.map { row in row.reduce(0) { max($0, abs($1)) } }
        // A microphone that hears next to nothing has no onset.
        let onset = InterauralTime.onset(of: ears[peaks[0] >= peaks[1] ? 0 : 1])
        let first = max(0, min(ears[0].count - count, onset - Int(lead * sampleRate)))
        let heard = powers(ears, from: first, count: count, sampleRate: sampleRate)
        let late = powers(ears, from: ears[0].count - count, count: count, sampleRate: sampleRate)
        let louder = heard.left >= heard.right ? (heard.left, late.left) : (heard.right, late.right)
        guard louder.0 > leastMargin * louder.1, louder.0 > 1e-30 else { return nil }
        return 10 * log10(max(1e-30, heard.left) / max(1e-30, heard.right))
    }

    /// Returns the power of `count` samples of both ears in the band, faded in over 2 ms and out over half of `length`.
    private static func powers(
        _ ears: [[Double]], from first: Int, count: Int, sampleRate: Double
    ) -> (left: Double, right: Double) {
        let transform = FourierTransform(minimumCount: 4 * count)
        let n = transform.count
        let (rise, fade) = (0.002 * sampleRate, 0.5 * length * sampleRate)
        let rows = ears.map { row in
            (0..<n).map { i -> Double in
                guard i < count else { return 0 }
                let window = RaisedCosine.value(Double(i) / rise) * RaisedCosine.value(Double(count - 1 - i) / fade)
                return window * row[first + i]
            }
        }
        var (real, imaginary) = (rows[0], rows[1])
        transform.forward(&real, &imaginary)
        let step = sampleRate / Double(n)
        let bins = max(1, Int((band.lowerBound / step).rounded()))...max(1, Int((band.upperBound / step).rounded()))
        var (left, right) = (0.0, 0.0)
        for k in bins {
            let p: SIMD2<Double> = SIMD2(real[k] + real[n - k], imaginary[k] - imaginary[n - k]) / 2
            let q: SIMD2<Double> = SIMD2(imaginary[k] + imaginary[n - k], real[n - k] - real[k]) / 2
            left += (p * p).sum()
            right += (q * q).sum()
        }
        return (left, right)
    }

    /// Returns the difference of the levels that a rigid sphere has at 200 Hz, left less right, dB. `distance`: that of
    /// the loudspeaker from the head, metres.
    package static func expected(_ direction: Direction<Head>, distance: Double) -> Double {
        let sides = [direction.unit.y, -direction.unit.y]
        let heard = RigidSphere().response(
            frequency: 200, cosines: sides, distance: max(2 * RigidSphere.averageRadius, distance))
        return 20 * log10(hypot(heard[0].real, heard[0].imaginary) / hypot(heard[1].real, heard[1].imaginary))
    }

    /// Returns the median of levels, dB; nil without any. Of an even number, it is the mean of the two in the middle.
    package static func median(_ levels: [Double]) -> Double? {
        let sorted = levels.sorted()
        guard !sorted.isEmpty else { return nil }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// Returns the fault of a take; nil if it has none.
    ///
    /// - Parameters:
    ///   - level: level of the take.
    ///   - others: levels of the measurement's other takes, dB; empty for the first take.
    package static func fault(_ level: Level, others: [Double]) -> TakeFault? {
        let isOfOne = level.loudspeakers < 2
        let change = (isOfOne ? mostChange.one : mostChange.several) * (others.count == 1 ? 2 : 1)
        if let usual = median(others), abs(level.decibels - usual) > change {
            return .unequalEars(decibels: level.decibels - usual, isChange: true)
        }
        guard abs(level.decibels) > mostDifference(of: level) else { return nil }
        return .unequalEars(decibels: level.decibels, isChange: false)
    }

    private static func mostDifference(of level: Level) -> Double {
        level.loudspeakers < 2 ? mostDifference.one : mostDifference.several
    }

    /// Returns the faults of takes that were measured together, by their index in `levels`. Each is compared with the
    /// others that have no fault by themselves; of two such takes, the second with the first.
    package static func faults(_ levels: [Level]) -> [Int: TakeFault] {
        let possible = levels.indices.filter { abs(levels[$0].decibels) <= mostDifference(of: levels[$0]) }
        var faults: [Int: TakeFault] = [:]
        for (index, level) in levels.enumerated() {
            let references = possible.count == 2 ? possible.prefix(1) : possible[...]
            let others = references.filter { $0 != index }
            faults[index] = fault(level, others: others.map { levels[$0].decibels })
        }
        return faults
    }
}
