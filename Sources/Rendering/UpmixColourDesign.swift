import Geometry
import Glibc
import HRTF
import Signal
import Soundstage

/// Designs the filters that give an upmix, heard through a set, the colour of plain stereo through the same set.
///
/// What stands in the middle of plain stereo reaches each ear from two loudspeakers, which add with a delay; opened, it
/// comes from one in front. Ambience comes from the surrounds instead of the front pair. Each filter gives, in every
/// ERB (Glasberg and Moore, Hear. Res. 47, 1990), both ears together the power that the front pair would: a centre that
/// of |L + R|²/2, a pair of others that of |L|² + |R|². Minimum phase, so that nothing comes later; off the audio
/// thread.
package struct UpmixColourDesign {
    /// Directions of the front for which a table holds filters: steps of 5°.
    static let angles = 72
    /// Most that a filter raises or lowers a band, dB.
    static let most = 12.0
    /// ERB over which powers are averaged: a little less than the bands for which the colour is to be right.
    private static let bandwidth = 0.7
    /// Hertz below and above which a filter goes on as it is there.
    private static let range = (low: 60.0, high: 16_000.0)

    /// Channels that are filtered alike, see `Programme.colouredGroups`.
    package let groups: [[Int]]
    private let field: FilterField
    private let loudspeakers: [Loudspeaker]
    private let pair: [Int]
    private let taps: Int
    private let transform: FourierTransform

    /// Nil where nothing is to be filtered: no upmix, or channels without a direction.
    package init?(_ programme: Programme, field: FilterField) {
        let loudspeakers = programme.layout.loudspeakers
        let (left, right) = programme.layout.stereoPair
        groups = programme.colouredGroups
        pair = [left, right]
        guard !groups.isEmpty, (groups.joined() + pair).allSatisfy({ loudspeakers[$0].motion != .direct }) else {
            return nil
        }
        self.field = field
        self.loudspeakers = loudspeakers
        taps = Programme.colourTaps(sampleRate: field.sampleRate)
        transform = FourierTransform(minimumCount: max(32 * taps, field.tapCount))
    }

    /// The filters for every direction of the front; some tens of milliseconds.
    package func table() -> UpmixColourTable {
        let table = UpmixColourTable(angles: Self.angles, groups: groups.count, taps: taps)
        inParallel(Self.angles, chunk: 9) { range in
            for angle in range {
                let filters = filters(frontAt: 2 * Double.pi * Double(angle) / Double(Self.angles))
                for (group, filter) in filters.enumerated() {
                    table.filter(angle: angle, group: group).update(from: filter, count: taps)
                }
            }
        }
        return table
    }

    /// The filter of each group, `[group][tap]`, for a head that sees the stage's front at `azimuth`, radians.
    package func filters(frontAt azimuth: Double) -> [[Float]] {
        let ears = pair.map { responses($0, azimuth) }
        let phantom = power(zip(ears[0], ears[1]).map { ($0.0 + $1.0, $0.1 + $1.1) })
        let apart = zip(power(ears[0]), power(ears[1])).map { $0 + $1 }
        return groups.map { members in
            let wanted = members.count == 1 ? phantom.map { $0 / 2 } : apart
            var there = [Double](repeating: 0, count: wanted.count)
            for member in members {
                for (bin, power) in power(responses(member, azimuth)).enumerated() { there[bin] += power }
            }
            return filter(
                wanted: Bands(wanted, binHz, over: Self.bandwidth), there: Bands(there, binHz, over: Self.bandwidth))
        }
    }

    private var binHz: Double { field.sampleRate.hertz / Double(transform.count) }

    /// What both ears hear of a loudspeaker, `[tap]`.
    private func responses(_ index: Int, _ azimuth: Double) -> [(Double, Double)] {
        let at = loudspeakers[index].direction.unit
        let (c, s) = loudspeakers[index].motion == .tracked ? (cos(azimuth), sin(azimuth)) : (1, 0)
        let (left, right) = field.responses(Direction(unit: SIMD3(c * at.x - s * at.y, s * at.x + c * at.y, at.z)))
        return zip(left, right).map { (Double($0), Double($1)) }
    }

    /// The power of both ears together per bin.
    private func power(_ ears: [(Double, Double)]) -> [Double] {
        var real = [Double](repeating: 0, count: transform.count)
        var imaginary = real
        for (tap, ear) in ears.enumerated() { (real[tap], imaginary[tap]) = ear }
        transform.forward(&real, &imaginary)
        // Of left + i·right: |L|² + |R|² = (|Z[k]|² + |Z[n − k]|²)/2.
        return (0...transform.count / 2).map { k in
            let mirror = (transform.count - k) & (transform.count - 1)
            return
                (real[k] * real[k] + imaginary[k] * imaginary[k] + real[mirror] * real[mirror]
                + imaginary[mirror] * imaginary[mirror]) / 2
        }
    }

    /// The filter that turns one power per ERB into another.
    private func filter(wanted: Bands, there: Bands) -> [Float] {
        let count = 8 * taps
        let top = min(Self.range.high, 0.4 * field.sampleRate.hertz)
        let gains = (0...count / 2).map { bin in
            let hertz = max(Self.range.low, min(top, Double(bin) * field.sampleRate.hertz / Double(count)))
            let floor = 1e-9 * (wanted.total + there.total) + 1e-30
            let decibels = 10 * log10((wanted.mean(around: hertz) + floor) / (there.mean(around: hertz) + floor))
            return max(-Self.most, min(Self.most, decibels))
        }
        let inverse = FourierTransform(minimumCount: count)
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        for (bin, value) in MinimumPhase.spectrum(decibels: gains).enumerated() {
            real[bin] = value.real
            guard bin > 0 && bin < count / 2 else { continue }
            imaginary[bin] = value.imaginary
            (real[count - bin], imaginary[count - bin]) = (value.real, -value.imaginary)
        }
        inverse.inverse(&real, &imaginary)
        // The last quarter fades out.
        let fade = taps / 4
        return (0..<taps).map { tap in
            let late = (Double(tap - (taps - fade)) + 0.5) / Double(fade)
            return Float(real[tap] * (late < 0 ? 1 : 0.5 + 0.5 * cos(.pi * late)))
        }
    }
}

/// A power per bin, averaged over equivalent rectangular bandwidths or a share of them.
private struct Bands {
    /// `sums[k]`: of the bins before k.
    private var sums = [0.0]
    private let binHz: Double
    private let width: Double

    init(_ power: [Double], _ binHz: Double, over width: Double) {
        for value in power { sums.append(sums[sums.count - 1] + value) }
        self.binHz = binHz
        self.width = width
    }

    /// The mean over all bins.
    var total: Double { sums[sums.count - 1] / Double(sums.count - 1) }

    /// The mean over the band in whose middle a frequency lies; a bin reaches half its width to both sides.
    func mean(around hertz: Double) -> Double {
        let rate = 21.4 * log10(1 + 0.00437 * hertz)
        func place(_ rate: Double) -> Double {
            max(1, min(Double(sums.count - 1), (pow(10, rate / 21.4) - 1) / 0.00437 / binHz + 0.5))
        }
        let (low, high) = (place(rate - width / 2), place(rate + width / 2))
        return high > low ? (sum(before: high) - sum(before: low)) / (high - low) : 0
    }

    private func sum(before place: Double) -> Double {
        let bin = min(sums.count - 2, Int(place))
        return sums[bin] + (place - Double(bin)) * (sums[bin + 1] - sums[bin])
    }
}
