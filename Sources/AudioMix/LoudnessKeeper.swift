import CRealtime

/// What keeps the loudness of x + i·d that of x, for any i: their K-weighted powers over eight seconds.
///
/// The power is Pxx + 2i·Pxd + i²·Pdd, so that a turn of i is made up for at once. K-weighting as in ITU-R BS.1770-4, annex 1, its two
/// sections for any rate by the bilinear transform of their analogue prototypes; the channels of the field count alike.
struct LoudnessKeeper: ~Copyable {
    private let channels: Int
    private let shelf: (Double, Double, Double, Double, Double)
    private let highPass: (Double, Double, Double, Double, Double)
    /// `[signal][channel][state 4]`.
    private let states: Row<Double>
    private let weighted: Row<Double>
    private var powers = SIMD3<Double>.zero
    private let perSample: Double
    private var age = 0.0

    /// Nothing heard.
    init(channels: Int, sampleRate: Double, block: Int) {
        self.channels = channels
        states = Row(8 * channels, 0)
        weighted = Row(2 * block, 0)
        perSample = 1 / (8 * sampleRate)
        func tangent(_ f: Double) -> Double { prc_sin(.pi * f / sampleRate) / prc_cos(.pi * f / sampleRate) }
        var k = tangent(1681.974_450_955_533), q = 0.707_175_236_955_419_6
        let gain = prc_exp(3.999_843_853_973_347 / 20 * prc_log(10))
        let bend = prc_exp(0.499_666_774_154_541_6 * prc_log(gain))
        var a = 1 + k / q + k * k
        shelf = (
            (gain + bend * k / q + k * k) / a, 2 * (k * k - gain) / a, (gain - bend * k / q + k * k) / a,
            2 * (k * k - 1) / a, (1 - k / q + k * k) / a
        )
        (k, q) = (tangent(38.135_470_876_024_44), 0.500_327_037_323_877_3)
        a = 1 + k / q + k * k
        highPass = (1, -2, 1, 2 * (k * k - 1) / a, (1 - k / q + k * k) / a)
    }

    /// Forgets everything heard.
    @_noLocks
    mutating func reset() {
        for i in 0..<states.count { states.base[i] = 0 }
        (powers, age) = (.zero, 0)
    }

    /// Says that d is another from now on: what was heard of it counts no more, and of x the last second does.
    @_noLocks
    mutating func begin() {
        (powers.y, powers.z) = (0, 0)
        age = min(age, 1 / (8 * perSample))
    }

    /// Hears `frames` of x and d, one row each per channel.
    @_noLocks
    mutating func hear(
        _ x: UnsafePointer<UnsafePointer<Float>?>, _ d: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int
    ) {
        var sum = SIMD3<Double>.zero
        for channel in 0..<channels {
            guard let row = x[channel] else { return }
            weigh(row, channel, into: weighted.base, frames)
            weigh(d[channel], channels + channel, into: weighted.base + frames, frames)
            for i in 0..<frames {
                let a = weighted.base[i], b = weighted.base[frames + i]
                sum += SIMD3(a * a, a * b, b * b)
            }
        }
        age += Double(frames)
        let share = min(1, max(Double(frames) * perSample, Double(frames) / age))
        powers += share * (sum / Double(frames) - powers)
    }

    /// The gain at `intensity`, within ±24 dB; 1 in silence.
    @_noLocks
    func gain(_ intensity: Float) -> Float {
        let i = Double(intensity), mixed = powers.x + 2 * i * powers.y + i * i * powers.z
        guard powers.x > 1e-12, i > 0 else { return 1 }
        return Float(prc_sqrt(max(0.003_98, min(251, powers.x / max(mixed, 1e-18)))))
    }

    @_noLocks
    private func weigh(
        _ row: UnsafePointer<Float>, _ index: Int, into target: UnsafeMutablePointer<Double>, _ frames: Int
    ) {
        let state = states.base + 4 * index
        var (s1, s2, h1, h2) = (state[0], state[1], state[2], state[3])
        for i in 0..<frames {
            let x = Double(row[i])
            let y = shelf.0 * x + s1
            s1 = shelf.1 * x - shelf.3 * y + s2
            s2 = shelf.2 * x - shelf.4 * y
            let z = highPass.0 * y + h1
            h1 = highPass.1 * y - highPass.3 * z + h2
            h2 = highPass.2 * y - highPass.4 * z
            target[i] = z
        }
        // Below what a float holds a decaying filter is silent.
        func quiet(_ v: Double) -> Double { v > 1e-30 || v < -1e-30 ? v : 0 }
        (state[0], state[1], state[2], state[3]) = (quiet(s1), quiet(s2), quiet(h1), quiet(h2))
    }
}
