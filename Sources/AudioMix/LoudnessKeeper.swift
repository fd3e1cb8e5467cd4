import CRealtime
import Metering
import Signal

/// Gain that gives the mix x + i·d the loudness of the input x at any intensity i. d is the change by the style at full
/// intensity.
///
/// Loudness is measured as in ITU-R BS.1770-5 over the last four seconds, with equal weights for the field's first four
/// channels. It is the mean power of blocks of 400 ms with an overlap of 75 %. Blocks more than 10 LU below the mean
/// are left out. With the block's means Pxx of x², Pxd of x·d and Pdd of d², the power of x + i·d is Pxx + 2i·Pxd +
/// i²·Pdd. The gain therefore follows a change of i immediately.
///
/// A voice that begins after a long stretch of ambience alone would get the high gain of the ambience. A limit prevents
/// this: the gain raises the current sound to at most 6 dB above the input.
struct LoudnessKeeper: ~Copyable {
    private var filters: KWeightedProducts
    /// Sums over a tenth of a second each, `[tenth modulo count]`: Σx², Σx·d and Σd².
    private let tenths: Row<SIMD3<Double>>
    private let hopsPerTenth: Int
    /// Sums of the present tenth, number of its hops, number of stored tenths, and index of the next one.
    private var tenth = SIMD3<Double>.zero, hops = 0, count = 0, next = 0
    /// Mean of the three sums per hop over the last 10 ms.
    private var now = SIMD3<Double>.zero
    private let nowShare: Double, rise: Double
    /// Highest power gain for the current sound. It rises by a factor e in 0.5 s.
    private var limit: Double
    /// Power gain for the mean loudness without the limit, and the intensity for which it was computed; nil if
    /// outdated.
    private var known: (intensity: Float, power: Double)?

    /// Number of tenths in a block of 400 ms.
    private static var block: Int { @_noLocks get { 4 } }
    /// Highest ratio of the power of the current output to that of the input, 6 dB.
    private static var most: Double { @_noLocks get { 4 } }
    /// Highest power gain, 24 dB.
    private static var highest: Double { @_noLocks get { 251 } }

    /// Starts without past sound. Every call of `hear` adds a hop of `hop` frames.
    init(sampleRate: Double, hop: Int) {
        filters = KWeightedProducts(sampleRate: sampleRate)
        hopsPerTenth = max(1, Int((0.1 * sampleRate / Double(hop)).rounded()))
        tenths = Row(40, .zero)
        let seconds = Double(hop) / sampleRate
        nowShare = min(1, seconds / 0.01)
        rise = prc_exp(seconds / 0.5)
        limit = Self.highest
    }

    /// Clears all past sound.
    @_noLocks
    mutating func reset() {
        filters.reset()
        (tenth, hops, count, next, now, limit) = (.zero, 0, 0, 0, .zero, Self.highest)
        known = nil
    }

    /// Restarts the measurement for a new d. Clears all sums that contain d, and all sums of x² except those of the
    /// last second.
    @_noLocks
    mutating func begin() {
        count = min(count, 10)
        for age in 1...10 { tenths.base[(next + tenths.count - age) % tenths.count] *= SIMD3(1, 0, 0) }
        tenth *= SIMD3(1, 0, 0)
        (now, limit, known) = (.zero, Self.highest, nil)
    }

    /// Measures the first four rows of a hop of x and d. `intensity` is the intensity of the mix in this hop.
    @_noLocks
    mutating func hear(
        _ x: UnsafePointer<UnsafePointer<Float>?>, _ d: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int,
        at intensity: Float
    ) {
        guard let w = x[0], let y = x[1], let z = x[2], let front = x[3] else { return }
        let sum = filters.hear(
            (w, y, z, front),
            (UnsafePointer(d[0]), UnsafePointer(d[1]), UnsafePointer(d[2]), UnsafePointer(d[3])), count: frames)
        now += nowShare * (sum - now)
        restrain(intensity)
        tenth += sum
        hops += 1
        // The power of the first block changes with every hop until the block is complete.
        if count < Self.block { known = nil }
        guard hops == hopsPerTenth else { return }
        tenths.base[next] = tenth
        next = (next + 1) % tenths.count
        count = min(tenths.count, count + 1)
        (tenth, hops, known) = (.zero, 0, nil)
    }

    /// Returns the linear gain at `intensity`, within ±24 dB; 1 in silence and at intensity 0. Cost: a pass over 40
    /// sums, ten times per second and at each change of intensity. In the first 400 ms there is a pass every hop.
    @_noLocks
    mutating func gain(_ intensity: Float) -> Float {
        guard intensity > 0 else { return 1 }
        let power = wanted(intensity)
        guard power > 0 else { return 1 }
        return Float(prc_sqrt(max(1 / Self.highest, min(Self.highest, min(power, limit)))))
    }

    /// Updates the limit from the current sound. Intensity 0 resets the limit.
    @_noLocks
    private mutating func restrain(_ intensity: Float) {
        guard intensity > 0 else { return limit = Self.highest }
        guard now.x > 1e-12 else { return }
        let most = Self.most * now.x / max(Self.power(now, Self.law(intensity)), 1e-18)
        limit = min(min(limit * rise, Self.highest), most)
    }

    /// Returns the power gain that keeps the mean loudness.
    @_noLocks
    private mutating func wanted(_ intensity: Float) -> Double {
        if let known, known.intensity == intensity { return known.power }
        let power = self.power(SIMD3(1, 0, 0)) / max(self.power(Self.law(intensity)), 1e-18)
        known = (intensity, power)
        return power
    }

    /// Returns the weights (1, 2i, i²) that give the power of x + i·d from its three sums.
    @_noLocks
    private static func law(_ intensity: Float) -> SIMD3<Double> {
        let i = Double(intensity)
        return SIMD3(1, 2 * i, i * i)
    }

    /// Returns the power from three sums and their weights.
    @_noLocks
    private static func power(_ sums: SIMD3<Double>, _ law: SIMD3<Double>) -> Double {
        max(0, sums.x * law.x + sums.y * law.y + sums.z * law.z)
    }

    /// Returns the mean power of the blocks that pass the gate, with the given weights; 0 in silence.
    @_noLocks
    private func power(_ law: SIMD3<Double>) -> Double {
        guard count >= Self.block else {
            // Until the first block is complete, the power is the sum over all sound so far.
            var sum = tenth
            for age in 0..<count { sum += tenths.base[(next + tenths.count - 1 - age) % tenths.count] }
            let power = Self.power(sum, law)
            return power > 1e-12 ? power : 0
        }
        let mean = mean(law, above: 0)
        return mean > 1e-12 ? self.mean(law, above: 0.1 * mean) : 0
    }

    /// Returns the mean power of the blocks with a power above `gate`; 0 if there is no such block.
    @_noLocks
    private func mean(_ law: SIMD3<Double>, above gate: Double) -> Double {
        var sum = 0.0, blocks = 0.0
        var a = 0.0, b = 0.0, c = 0.0
        for place in 0..<count {
            let d = Self.power(tenths.base[(next + tenths.count - count + place) % tenths.count], law)
            let block = a + b + c + d
            a = b
            b = c
            c = d
            guard place >= Self.block - 1, block > gate else { continue }
            sum += block
            blocks += 1
        }
        return blocks > 0 ? sum / blocks : 0
    }
}
