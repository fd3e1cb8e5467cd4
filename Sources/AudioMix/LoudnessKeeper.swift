import CRealtime
import Metering
import Signal

/// What keeps the loudness of x + i·d that of x, for any i.
///
/// Loudness as in ITU-R BS.1770-5 over the last four seconds, the field's first four channels counting alike: the power
/// of blocks of 400 ms, four to a block, those left out that lie 10 LU below the mean. A block's power is Pxx +
/// 2i·Pxd + i²·Pdd, so that a turn of i is made up for at once. What speaks first after a long while of ambience alone
/// would be raised as the ambience was: of what sounds at the moment no gain makes more than 6 dB above what came in.
struct LoudnessKeeper: ~Copyable {
    private var filters: KWeightedProducts
    /// The sums of a tenth of a second each, `[tenth modulo count]`: x², x·d, d².
    private let tenths: Row<SIMD3<Double>>
    private let hopsPerTenth: Int
    private var tenth = SIMD3<Double>.zero, hops = 0, count = 0, next = 0
    private var now = SIMD3<Double>.zero
    private let nowShare: Double, rise: Double
    private var limit: Double
    /// What keeps the mean loudness at the intensity it was made for, before the limit; nil:
    /// something has changed since.
    private var known: (intensity: Float, power: Double)?

    /// Tenths in a block of 400 ms, and the gain in power that the moment's sound may have, 6 dB.
    private static var block: Int { @_noLocks get { 4 } }
    private static var most: Double { @_noLocks get { 4 } }
    /// The highest gain in power, 24 dB.
    private static var highest: Double { @_noLocks get { 251 } }

    /// Nothing heard; every call of `hear` brings a hop of `hop` frames.
    init(sampleRate: Double, hop: Int) {
        filters = KWeightedProducts(sampleRate: sampleRate)
        hopsPerTenth = max(1, Int((0.1 * sampleRate / Double(hop)).rounded()))
        tenths = Row(40, .zero)
        let seconds = Double(hop) / sampleRate
        nowShare = min(1, seconds / 0.01)
        rise = prc_exp(seconds / 0.5)
        limit = Self.highest
    }

    /// Forgets everything heard.
    @_noLocks
    mutating func reset() {
        filters.reset()
        (tenth, hops, count, next, now, limit) = (.zero, 0, 0, 0, .zero, Self.highest)
        known = nil
    }

    /// Says that d is another from now on: what was heard of it counts no more, and of x the last second does.
    @_noLocks
    mutating func begin() {
        count = min(count, 10)
        for age in 1...10 { tenths.base[(next + tenths.count - age) % tenths.count] *= SIMD3(1, 0, 0) }
        tenth *= SIMD3(1, 0, 0)
        (now, limit, known) = (.zero, Self.highest, nil)
    }

    /// Hears a hop of x and d, whose first four rows count, as it is mixed `at` an intensity.
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
        // Less than a block counts as far as it has come.
        if count < Self.block { known = nil }
        guard hops == hopsPerTenth else { return }
        tenths.base[next] = tenth
        next = (next + 1) % tenths.count
        count = min(tenths.count, count + 1)
        (tenth, hops, known) = (.zero, 0, nil)
    }

    /// The gain at `intensity`, within ±24 dB; 1 in silence. Cost: the sum of 40 numbers, ten times per second or where
    /// the intensity moves.
    @_noLocks
    mutating func gain(_ intensity: Float) -> Float {
        guard intensity > 0 else { return 1 }
        let power = wanted(intensity)
        guard power > 0 else { return 1 }
        return Float(prc_sqrt(max(1 / Self.highest, min(Self.highest, min(power, limit)))))
    }

    /// What the moment's sound allows, whether or not it is asked for; nothing is held over an intensity of 0.
    @_noLocks
    private mutating func restrain(_ intensity: Float) {
        guard intensity > 0 else { return limit = Self.highest }
        guard now.x > 1e-12 else { return }
        let most = Self.most * now.x / max(Self.power(now, Self.law(intensity)), 1e-18)
        limit = min(min(limit * rise, Self.highest), most)
    }

    /// The gain in power that keeps the mean loudness.
    @_noLocks
    private mutating func wanted(_ intensity: Float) -> Double {
        if let known, known.intensity == intensity { return known.power }
        let power = self.power(SIMD3(1, 0, 0)) / max(self.power(Self.law(intensity)), 1e-18)
        known = (intensity, power)
        return power
    }

    /// The powers of x + i·d by its three sums.
    @_noLocks
    private static func law(_ intensity: Float) -> SIMD3<Double> {
        let i = Double(intensity)
        return SIMD3(1, 2 * i, i * i)
    }

    /// A power by a law: that of x + i·d for (1, 2i, i²).
    @_noLocks
    private static func power(_ sums: SIMD3<Double>, _ law: SIMD3<Double>) -> Double {
        max(0, sums.x * law.x + sums.y * law.y + sums.z * law.z)
    }

    /// The mean power by a law of the blocks that count; 0 where nothing was heard.
    @_noLocks
    private func power(_ law: SIMD3<Double>) -> Double {
        guard count >= Self.block else {
            // Less than a block: all there is.
            var sum = tenth
            for age in 0..<count { sum += tenths.base[(next + tenths.count - 1 - age) % tenths.count] }
            let power = Self.power(sum, law)
            return power > 1e-12 ? power : 0
        }
        let mean = mean(law, above: 0)
        return mean > 1e-12 ? self.mean(law, above: 0.1 * mean) : 0
    }

    /// The mean of the blocks above a power.
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
