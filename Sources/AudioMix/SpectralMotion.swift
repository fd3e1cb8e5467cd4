import CRealtime
import Signal

/// Likelihood that a talker's spectrum is that of speech, from its motion.
///
/// A struck or held note keeps the frequencies of its partials while it decays; a chord does, too. The pitch of speech
/// glides, so that its upper harmonics have moved after 128 ms, and its formants and unvoiced sounds change the
/// envelope. Five measures, means over three seconds weighted by loudness:
///
/// * Persistence: correlation of the fine structure from 800 to 3500 Hz with that of 128 ms before, −1…1. The fine
///   structure is the fourth root of the power less its mean within 130 Hz.
/// * Change: RMS difference of the levels of 13 thirds of an octave from 200 Hz to those of 128 ms before, less the
///   mean difference, dB.
/// * Tilt: standard deviation of the level below 1 kHz less that from 1.3 to 4 kHz, dB. Vowels and fricatives alternate
///   in speech; a bark repeats one spectrum.
/// * Spread: standard deviation of the level of the frames, dB. Held sounds and sirens have little.
/// * Fall: share of the frames with a lower level than the frame before. A struck sound falls most of the time.
///
/// The score is change − 8·persistence. Reverberation and noise lower the score of speech, and the directness of the
/// field tells both. A field of one source, with a directness above 0.95, must reach a higher score, from which a small
/// tilt, a small spread, a fall above 0.55 and a level swing above 14 dB (barks) are subtracted, and where persistence
/// counts more; below 0.75 only the score counts. The limits were set on one half of the material; figures of the other
/// half are in `Documentation/measurements/audio-mix.md`.
///
/// The spectrum is that of the beam of maximum directivity to the talker in the frames of the direction analysis,
/// weighted by the talker's shares of the bins.
struct SpectralMotion: ~Copyable {
    /// Weight of the prior, seconds.
    private static var presumed: Float { @_noLocks get { 0.3 } }
    private static var bands: Int { @_noLocks get { 13 } }
    private let bins: Int, from: Int, to: Int
    /// Number of neighbours on each side of a bin.
    private let near: Int
    /// Frames in 128 ms.
    private let lag: Int
    /// `[band]`: first bin; the last is the end.
    private let edges: Row<Int>
    /// Bin of the separation for each bin of the analysis.
    private let places: Row<Int>
    private let powers: Row<Float>, roots: Row<Float>, sums: Row<Float>
    /// Rings over `lag + 1` frames: fine structure, its norm, levels of the bands, loudness (0 in a pause).
    private let fine: Row<Float>, norms: Row<Float>, levels: Row<Float>, loudness: Row<Float>
    private let seconds: Float, share: Float
    private var frames = 0, age: Float = 0, weight: Float = 0
    /// Level of the loudest frame and the loudest band, dB; they fall by 5 dB in a second.
    private var peak: Float = -200, top: Float = -200
    /// Means weighted by loudness.
    private var persistent: Float = 0, changed: Float = 0, direct: Float = 0
    private var tilts = Scatter(), heights = Scatter()
    private var fall: (share: Float, age: Float, last: Float) = (0.5, 0, -200)

    /// Starts without past sound.
    init(_ tuning: AudioMixTuning) {
        let width = tuning.rate / Double(tuning.field)
        func bin(_ hertz: Double) -> Int { min(tuning.fieldBins, Int(hertz / width)) }
        bins = tuning.fieldBins
        (from, to, near) = (bin(800), bin(3500), max(1, bin(130)))
        seconds = tuning.fieldSeconds
        lag = max(1, Int((0.128 / Double(tuning.fieldSeconds)).rounded()))
        share = Float(1 - prc_exp(-Double(tuning.fieldSeconds) / 3))
        edges = Row(Self.bands + 1, 0)
        for band in 0...Self.bands { edges.base[band] = bin(200 * prc_exp(Double(band) * prc_log(2) / 3)) }
        places = Row(bins, 0)
        for k in 0..<bins {
            let hertz = (Double(k) + 0.5) * width
            places.base[k] = min(tuning.bins - 1, Int(hertz / tuning.rate * Double(tuning.frame)))
        }
        powers = Row(bins, 0)
        roots = Row(to + near + 1, 0)
        sums = Row(to + near + 2, 0)
        fine = Row((lag + 1) * (to - from), 0)
        norms = Row(lag + 1, 0)
        levels = Row((lag + 1) * Self.bands, 0)
        loudness = Row(lag + 1, 0)
    }

    /// Clears the statistics for a new talker.
    @_noLocks
    mutating func reset() {
        for i in 0..<loudness.count { loudness.base[i] = 0 }
        (frames, age, weight, peak, top) = (0, 0, 0, -200, -200)
        (persistent, changed, direct) = (0, 0, 0)
        (tilts, heights, fall) = (Scatter(), Scatter(), (0.5, 0, -200))
    }

    /// Mean persistence of the partials, −1…1.
    private var persistence: Float { @_noLocks get { persistent / max(weight, 1e-12) } }
    /// Mean change of the envelope, dB.
    private var change: Float { @_noLocks get { changed / max(weight, 1e-12) } }
    /// Standard deviations of the tilt and of the level, dB.
    private var tilt: Float { @_noLocks get { tilts.deviation } }
    private var spread: Float { @_noLocks get { heights.deviation } }

    /// Returns the likelihood of speech, 0…1; 1 before the first sound. `swing` is the level swing at the syllable
    /// rate, dB.
    @_noLocks
    func likelihood(swing: Float) -> Float {
        guard weight > 0 else { return 1 }
        let single = max(0, min(1, (direct / weight - 0.75) / 0.2))
        let penalty =
            max(0, 5 - tilt) + 3 * max(0, 3 - spread) + 2 * max(0, swing - 14) + 25 * max(0, fall.share - 0.55)
            + 10 * max(0, persistence - 0.1)
        let score = change - 8 * persistence - single * penalty
        return max(0, min(1, (score - 2 - 2.6 * single) / 1.2))
    }

    /// Adds one frame of the direction analysis. `shares` are the talker's shares of the bins of the separation. Cost:
    /// 20 ns per bin.
    @_noLocks
    mutating func hear(
        _ frame: UnsafePointer<Quad>, _ direction: SIMD3<Float>, _ shares: UnsafePointer<Float>, directness: Float
    ) {
        // The channels are W, Y, Z, X, the last three scaled by √3: a plane wave from the direction has the gain 1.
        let beam = SIMD4(0.25, direction.y * 0.433_012_7, direction.z * 0.433_012_7, direction.x * 0.433_012_7)
        for k in 0..<bins {
            let (re, im) = ((frame[k].re * beam).sum(), (frame[k].im * beam).sum())
            powers.base[k] = (re * re + im * im) * shares[places.base[k]] + 1e-14
        }
        let now = frames % (lag + 1), then = (frames + 1) % (lag + 1)
        frames += 1
        age += seconds
        note(now)
        if weight == 0, loudness.base[now] > 0 { presume(now, directness) }
        let step = max(share, seconds / (age + Self.presumed))
        if loudness.base[now] > 0 {
            heights.add(fall.last, weight: loudness.base[now], step)
            lean(levels.base + now * Self.bands, loudness.base[now], step)
        }
        let both = min(loudness.base[now], loudness.base[then])
        guard both > 0 else { return }
        let width = to - from
        let (one, two) = (fine.base + now * width, fine.base + then * width)
        var product: Float = 0
        for k in 0..<width { product += one[k] * two[k] }
        product /= max(norms.base[now] * norms.base[then], 1e-20)
        weight += step * (both - weight)
        persistent += step * (both * product - persistent)
        direct += step * (both * directness - direct)
        changed += step * (both * difference(levels.base + now * Self.bands, levels.base + then * Self.bands) - changed)
    }

    /// Enters loudness, fine structure and band levels of the frame in `powers` into the rings.
    @_noLocks
    private mutating func note(_ now: Int) {
        var power: Float = 1e-12
        for k in edges.base[0]..<edges.base[Self.bands] { power += powers.base[k] }
        let level = 4.342_945 * Float(prc_log(Double(power)))
        peak = max(level, peak - 5 * seconds)
        loudness.base[now] = level > peak - 30 ? prc_sqrtf(prc_sqrtf(power)) : 0
        if loudness.base[now] > 0 {
            fall.age += seconds
            fall.share += max(share, seconds / (fall.age + 1)) * ((level < fall.last ? 1 : 0) - fall.share)
        }
        fall.last = level
        let bands = levels.base + now * Self.bands
        top -= 5 * seconds
        for band in 0..<Self.bands {
            var sum: Float = 1e-12
            for k in edges.base[band]..<edges.base[band + 1] { sum += powers.base[k] }
            bands[band] = 4.342_945 * Float(prc_log(Double(sum)))
            top = max(top, bands[band])
        }
        // Noise below the talker's own range is no change of the envelope.
        for band in 0..<Self.bands { bands[band] = max(bands[band], top - 45) }
        let first = max(0, from - near)
        for k in first..<to + near + 1 {
            roots.base[k] = prc_sqrtf(prc_sqrtf(powers.base[k]))
            sums.base[k + 1] = sums.base[k] + roots.base[k]
        }
        var square: Float = 0
        let row = fine.base + now * (to - from), per = 1 / Float(2 * near + 1)
        for k in from..<to {
            let value = roots.base[k] - (sums.base[k + near + 1] - sums.base[k - near]) * per
            row[k - from] = value
            square += value * value
        }
        norms.base[now] = prc_sqrtf(square)
    }

    /// Sets all means to those of clear speech, as if heard for `presumed` seconds: a voice opens with its first word.
    @_noLocks
    private mutating func presume(_ now: Int, _ directness: Float) {
        weight = loudness.base[now]
        (persistent, changed, direct) = (0.05 * weight, 9 * weight, directness * weight)
        (tilts, heights) = (Scatter(0, deviation: 6, weight: weight), Scatter(fall.last, deviation: 5, weight: weight))
    }

    /// Adds the tilt of one envelope to its statistics.
    @_noLocks
    private mutating func lean(_ bands: UnsafePointer<Float>, _ loudness: Float, _ step: Float) {
        var (low, high): (Float, Float) = (0, 0)
        for band in 0..<7 { low += Float(prc_exp(0.230_258_5 * Double(bands[band]))) }
        for band in 8..<Self.bands { high += Float(prc_exp(0.230_258_5 * Double(bands[band]))) }
        let tilt = 4.342_945 * Float(prc_log(Double(high / low)))
        tilts.add(tilt, weight: loudness, step)
    }

    /// Returns the RMS difference of two envelopes, each less its mean, dB.
    @_noLocks
    private func difference(_ one: UnsafePointer<Float>, _ two: UnsafePointer<Float>) -> Float {
        var (sum, square): (Float, Float) = (0, 0)
        for band in 0..<Self.bands {
            let step = one[band] - two[band]
            sum += step
            square += step * step
        }
        let mean = sum / Float(Self.bands)
        return prc_sqrtf(max(0, square / Float(Self.bands) - mean * mean))
    }
}

/// Decaying mean and variance, weighted.
private struct Scatter: BitwiseCopyable {
    private var weight: Float = 0, mean: Float = 0, square: Float = 0

    /// Starts with a mean and a standard deviation of this weight.
    @_noLocks
    init(_ mean: Float = 0, deviation: Float = 0, weight: Float = 0) {
        (self.weight, self.mean, square) = (weight, weight * mean, weight * (mean * mean + deviation * deviation))
    }

    /// Standard deviation; 0 without values.
    var deviation: Float {
        @_noLocks get {
            let mean = mean / max(weight, 1e-12)
            return prc_sqrtf(max(0, square / max(weight, 1e-12) - mean * mean))
        }
    }

    /// Adds a value; `step` is the share of the newest value in the means.
    @_noLocks
    mutating func add(_ value: Float, weight newest: Float, _ step: Float) {
        weight += step * (newest - weight)
        mean += step * (newest * value - mean)
        square += step * (newest * value * value - square)
    }
}
