import Geometry
import Glibc
import HRTF
import Signal
import Soundstage

/// Design of filters that give an upmix the spectrum (colour) of plain stereo at the ears, both rendered with the same
/// HRTF set.
///
/// In plain stereo a phantom source in the middle reaches each ear from two loudspeakers, whose sounds add with a
/// delay. The upmix plays this source from one loudspeaker in front. It plays ambience from the surrounds instead of
/// the front pair. At low frequencies the surrounds' ambience is not decorrelated, and adds to the part that stays in
/// front.
///
/// In every ERB (Glasberg and Moore, Hear. Res. 47, 1990), each filter gives both ears together the power of the front
/// pair. For a centre this is the power of |L + R|²/2, for any other pair |L|² + |R|² (L, R: spectra of the front
/// loudspeakers at an ear). For ambience, the surrounds and the remainder in front together have the power |L|² + |R|².
///
/// The filters have minimum phase. A phantom source, however, reaches the nearer ear before a centre does. The centre
/// is therefore advanced relative to all other channels (by `Programme.colourLead` frames at most). The centre's phase
/// is then near that of the phantom source, and a source that is partly in the centre keeps its direction and loudness.
/// Not for the audio thread.
package struct UpmixColourDesign {
    /// Number of directions of the stage's front in a table, in steps of 2.5°.
    static let angles = 144
    /// Largest gain or attenuation of a band, dB.
    static let most = 12.0
    /// Bandwidth over which powers are averaged, ERB. It is slightly less than the width of the bands in which the
    /// colour is to match.
    private static let bandwidth = 0.7
    /// Frequency range in which a filter is shaped, hertz. Outside it the filter keeps the gain of the nearer limit.
    private static let range = (low: 60.0, high: 16_000.0)

    /// Channels that share a filter; see `Programme.colouredGroups`.
    package let groups: [[Int]]
    private let field: FilterField
    private let loudspeakers: [Loudspeaker]
    /// Indices of the left and the right front loudspeaker.
    private let pair: [Int]
    private let taps: Int
    private let lead: Int
    private let transform: FourierTransform
    private let means: ErbMeans
    private let ambience: (share: AmbienceShare, groups: Range<Int>)?
    /// `[bin]`: `AmbienceShare.low`, left and right. Empty without ambience.
    private let lows: [[(re: Double, im: Double)]]

    /// Prepares the design. Returns nil if the programme has no `colouredGroups`, or if a channel of the front pair or
    /// of a group has no direction.
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
        lead = Programme.colourLead(sampleRate: field.sampleRate)
        transform = FourierTransform(minimumCount: max(32 * taps, field.tapCount))
        let (bins, binHz) = (transform.count / 2 + 1, field.sampleRate.hertz / Double(transform.count))
        ambience = programme.ambienceShare(sampleRate: field.sampleRate)
        lows = ambience.map { found in (0..<bins).map { found.share.low(binHz * Double($0)) } } ?? []
        means = ErbMeans(count: bins, binHz: binHz, width: Self.bandwidth)
    }

    /// Computes the filters for every direction of the stage's front, on all processors. Takes some 0.2 s of processor
    /// time.
    package func table() -> UpmixColourTable {
        UpmixColourTable(angles: Self.angles, groups: groups.count, taps: taps) { rows in
            inParallel(Self.angles, chunk: 9) { range in
                for angle in range {
                    let filters = filters(frontAt: 2 * Double.pi * Double(angle) / Double(Self.angles))
                    for (group, filter) in filters.enumerated() {
                        (rows + (angle * groups.count + group) * taps).update(from: filter, count: taps)
                    }
                }
            }
        }
    }

    /// Returns the filter of each group, `[group][tap]`. `azimuth` is the direction of the stage's front relative to
    /// the head, radians.
    package func filters(frontAt azimuth: Double) -> [[Float]] {
        let (left, right) = (ears(of: pair[0], azimuth), ears(of: pair[1], azimuth))
        let apart = zip(left.power, right.power).map { $0 + $1 }
        return groups.enumerated().map { group, members in
            let there = members.map { ears(of: $0, azimuth) }
            let power = there.map(\.power)
            if members.count == 1 {
                let phantom = EarPairSpectra.phantom(left, right)
                let decibels = decibels(wanted: phantom.power, there: power[0])
                let advance = advance(of: there[0], to: phantom, decibels)
                return filter(decibels, delay: Double(lead) - advance)
            }
            if let ambience, ambience.groups.contains(group) {
                let decibels = decibels(ambience.share, front: [left, right], surrounds: there)
                return filter(decibels, delay: Double(lead))
            }
            let together = apart.indices.map { bin in power.reduce(0) { $0 + $1[bin] } }
            return filter(decibels(wanted: apart, there: together), delay: Double(lead))
        }
    }

    /// Returns the advance, frames, that makes a filtered loudspeaker most similar to a phantom source at both ears. It
    /// is the position of the largest cross-correlation, with equal weight of all bands, in −lead/2…lead.
    private func advance(of there: EarPairSpectra, to wanted: EarPairSpectra, _ decibels: [Double]) -> Double {
        let filter = MinimumPhase.spectrum(decibels: decibels)
        let level = means(wanted.power)
        let high = Int(Self.top(field.sampleRate) / field.sampleRate.hertz * Double(transform.count))
        let floor = 1e-9 * level.reduce(0, +) / Double(level.count) + 1e-30
        let cross = (0...high).map { bin -> (re: Double, im: Double) in
            let (f, weight) = (filter[bin], means.densities[bin] / (level[bin] + floor))
            func product(_ c: (re: Double, im: Double), _ p: (re: Double, im: Double)) -> (re: Double, im: Double) {
                let filtered = (re: f.real * c.re - f.imaginary * c.im, im: f.real * c.im + f.imaginary * c.re)
                return (filtered.re * p.re + filtered.im * p.im, filtered.re * p.im - filtered.im * p.re)
            }
            let (l, r) = (product(there.left[bin], wanted.left[bin]), product(there.right[bin], wanted.right[bin]))
            return (weight * (l.re + r.re), weight * (l.im + r.im))
        }
        return advance(of: cross)
    }

    /// Returns the advance, frames, from the cross-spectrum: the centre's conjugate times the phantom.
    private func advance(of cross: [(re: Double, im: Double)]) -> Double {
        var cross = cross
        // An advance by `a` frames multiplies the centre by e^{iωa}, and the product with its conjugate by e^{−iωa}.
        // The search goes from the latest to the earliest.
        let (step, steps) = (Double(lead) / 32, -16...32)
        let turns = cross.indices.map { bin in
            let phase = 2 * .pi * Double(bin) * step / Double(transform.count)
            return (cos: cos(phase), sin: sin(phase))
        }
        for bin in cross.indices {
            let phase = 2 * .pi * Double(bin) * step * Double(steps.lowerBound) / Double(transform.count)
            let (c, s, value) = (cos(phase), sin(phase), cross[bin])
            cross[bin] = (value.re * c + value.im * s, value.im * c - value.re * s)
        }
        var best = (likeness: -Double.infinity, step: 0)
        for number in steps {
            var likeness = 0.0
            for bin in cross.indices {
                let (value, turn) = (cross[bin], turns[bin])
                likeness += value.re
                cross[bin] = (
                    value.re * turn.cos + value.im * turn.sin, value.im * turn.cos - value.re * turn.sin
                )
            }
            if likeness > best.likeness { best = (likeness, number) }
        }
        return step * Double(best.step)
    }

    /// Returns the highest frequency at which filters are shaped, hertz.
    private static func top(_ sampleRate: SampleRate) -> Double { min(range.high, 0.4 * sampleRate.hertz) }

    /// Returns the gain of each bin, dB, that changes the power of each band from `there` to `wanted`.
    private func decibels(wanted: [Double], there: [Double]) -> [Double] {
        let (wanted, there) = (means(wanted), means(there))
        let floor = 1e-9 * (wanted.reduce(0, +) + there.reduce(0, +)) / Double(wanted.count) + 1e-30
        let binHz = field.sampleRate.hertz / Double(transform.count)
        let (low, high) = (Int((Self.range.low / binHz).rounded(.up)), Int(Self.top(field.sampleRate) / binHz))
        return wanted.indices.map { bin in
            let near = max(low, min(high, bin))
            return max(-Self.most, min(Self.most, 10 * log10((wanted[near] + floor) / (there[near] + floor))))
        }
    }

    /// Returns the gain of the surrounds for each bin, dB. With this gain the surrounds and the front remainder of the
    /// ambience together have the power of all ambience in front. Summed over both sides, |f·F + g·s·l·S|²
    /// + (g·s)²·(1 − |l|²)·|S|² has to equal |F|². F and S are the spectra of a side's front and surround at the ears,
    /// f and s the shares of front and surrounds, g is the gain, and l is the part that is not decorrelated.
    private func decibels(_ share: AmbienceShare, front: [EarPairSpectra], surrounds: [EarPairSpectra]) -> [Double] {
        let (wanted, own) = (power(of: front), power(of: surrounds))
        var (squares, crosses) = (own, own)
        for bin in own.indices {
            squares[bin] *= share.surround * share.surround
            crosses[bin] = 0
            for (side, (f, s)) in zip(front, surrounds).enumerated() {
                let (cross, low) = (f.cross(s, bin), lows[bin][side])
                crosses[bin] += share.front * share.surround * (cross.re * low.re - cross.im * low.im)
            }
        }
        let rest = wanted.map { $0 * (1 - share.front * share.front) }
        let (a, b, c) = (means(squares), Self.smooth(crosses, means), means(rest))
        let ones = [Double](repeating: 1, count: own.count)
        // The positive root of a·g² + 2·b·g = c.
        let gains = ones.indices.map { bin in
            let root = (b[bin] * b[bin] + a[bin] * c[bin]).squareRoot()
            return pow((root - b[bin]) / (a[bin] + 1e-30), 2)
        }
        return decibels(wanted: gains, there: ones)
    }

    /// Returns the power of a pair at both ears.
    private func power(of pair: [EarPairSpectra]) -> [Double] {
        let powers = pair.map(\.power)
        return powers[0].indices.map { bin in powers.reduce(0) { $0 + $1[bin] } }
    }

    /// Returns the means of values that may be negative. Positive and negative parts are averaged separately.
    private static func smooth(_ values: [Double], _ means: ErbMeans) -> [Double] {
        zip(means(values.map { max(0, $0) }), means(values.map { max(0, -$0) })).map { $0 - $1 }
    }

    /// Returns the spectra of a loudspeaker at both ears, for a stage whose front is at `azimuth`, radians.
    private func ears(of index: Int, _ azimuth: Double) -> EarPairSpectra {
        var real = [Double](repeating: 0, count: transform.count)
        var imaginary = real
        for (tap, ear) in responses(index, azimuth).enumerated() { (real[tap], imaginary[tap]) = ear }
        transform.forward(&real, &imaginary)
        var ears = EarPairSpectra(left: [], right: [])
        for bin in 0...transform.count / 2 {
            // With Z = left + i·right: left = (Z[k] + Z*[n − k])/2, right = (Z[k] − Z*[n − k])/2i.
            let mirror = (transform.count - bin) & (transform.count - 1)
            ears.left.append(((real[bin] + real[mirror]) / 2, (imaginary[bin] - imaginary[mirror]) / 2))
            ears.right.append(((imaginary[bin] + imaginary[mirror]) / 2, (real[mirror] - real[bin]) / 2))
        }
        return ears
    }

    /// Returns the responses of a loudspeaker at both ears, `[tap]`, for a stage whose front is at `azimuth`, radians.
    private func responses(_ index: Int, _ azimuth: Double) -> [(Double, Double)] {
        let at = loudspeakers[index].direction.unit
        let (c, s) = loudspeakers[index].motion == .tracked ? (cos(azimuth), sin(azimuth)) : (1, 0)
        let (left, right) = field.responses(Direction(unit: SIMD3(c * at.x - s * at.y, s * at.x + c * at.y, at.z)))
        return zip(left, right).map { (Double($0), Double($1)) }
    }

    /// Returns the minimum-phase filter with the given gain of each bin, dB, delayed by `delay` samples.
    private func filter(_ decibels: [Double], delay: Double) -> [Float] {
        let count = 8 * taps
        let inverse = FourierTransform(minimumCount: count)
        let gains = (0...count / 2).map { decibels[$0 * (transform.count / count)] }
        var real = [Double](repeating: 0, count: count)
        var imaginary = real
        for (bin, value) in MinimumPhase.spectrum(decibels: gains).enumerated() {
            // At half the sample rate the delay is a whole number of samples; otherwise the filter would ring at this
            // frequency.
            let high = max(0, min(1, 3 * Double(2 * bin) / Double(count) - 2))
            let delay = delay + (delay.rounded() - delay) * high * high * (3 - 2 * high)
            let phase = 2 * .pi * delay * Double(bin) / Double(count)
            let (c, s) = (cos(phase), sin(phase))
            real[bin] = value.real * c + value.imaginary * s
            guard bin > 0 && bin < count / 2 else { continue }
            imaginary[bin] = value.imaginary * c - value.real * s
            (real[count - bin], imaginary[count - bin]) = (real[bin], -imaginary[bin])
        }
        inverse.inverse(&real, &imaginary)
        // The last quarter of the taps fades out.
        let fade = taps / 4
        return (0..<taps).map { tap in
            let late = (Double(tap - (taps - fade)) + 0.5) / Double(fade)
            return Float(real[tap] * (late < 0 ? 1 : 0.5 + 0.5 * cos(.pi * late)))
        }
    }
}
