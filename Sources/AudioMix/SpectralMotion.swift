import CRealtime
import Signal

/// Likelihood that a talker's spectrum is the spectrum of speech, from its changes over time.
///
/// The partials of a struck or held note or chord keep their frequencies while the sound decays. The pitch of speech
/// glides, so that its upper harmonics have moved after 128 ms. Formants and unvoiced sounds also change the spectral
/// envelope. Five measures are averaged over three seconds, weighted by loudness:
///
/// * Persistence: correlation of the fine structure from 800 to 3500 Hz with the fine structure 128 ms before, −1…1.
///   The fine structure is the fourth root of the power, minus the mean of this root within 130 Hz.
/// * Change: RMS difference between the levels of 13 third-octave bands from 200 Hz and the levels 128 ms before, after
///   the mean difference is subtracted, dB.
/// * Tilt: standard deviation of the difference between the levels below 1 kHz and from 1.3 to 4 kHz, dB. In speech,
///   vowels and fricatives alternate; a barking dog repeats one spectrum.
/// * Spread: standard deviation of the frames' level, dB. It is small for held sounds and sirens.
/// * Fall: share of the frames with a lower level than the frame before. The level of a struck sound falls most of the
///   time.
///
/// The score is change − 8·persistence. Reverberation and noise lower the score of speech, and the directness of the
/// field indicates both. If the directness is above 0.95, the field has a single source. The score must then be higher,
/// and penalties are subtracted for a small tilt, for a small spread, for a fall above 0.55, for a level swing above 14
/// dB (barks) and for persistence. If the directness is below 0.75, the score is used unchanged. Between these values
/// both rules are mixed. The limits were set with one half of the recordings; results for the other half are in
/// `Documentation/measurements/audio-mix.md`.
///
/// The spectrum is that of a beam of maximum directivity, directed at the talker, in the frames of the direction
/// analysis. It is weighted by the talker's shares of the bins.
struct SpectralMotion: ~Copyable {
    /// Weight of the values of clear speech with which the means begin (`presume`), seconds.
    private static var presumed: Float { @_noLocks get { 0.3 } }
    private static var bands: Int { @_noLocks get { 13 } }
    /// Number of bins, and the bins at 800 and 3500 Hz.
    private let bins: Int, from: Int, to: Int
    /// Number of neighbouring bins on each side for the mean of the fine structure.
    private let near: Int
    /// Number of frames in 128 ms.
    private let lag: Int
    /// `[band]`: first bin of a third-octave band. A last element holds the end of the highest band.
    private let edges: Row<Int>
    /// `[bin of the analysis]`: bin of the separation at the same frequency.
    private let places: Row<Int>
    /// `[bin]`: power of the beam, its fourth root, and the sum of the roots below the bin.
    private let powers: Row<Float>, roots: Row<Float>, sums: Row<Float>
    /// Ring buffers of `lag + 1` frames: fine structure, its norm, band levels, and loudness (0 in a pause).
    private let fine: Row<Float>, norms: Row<Float>, levels: Row<Float>, loudness: Row<Float>
    /// Interval between frames, seconds; and weight of the newest frame in a mean over three seconds.
    private let seconds: Float, share: Float
    /// Number of frames, their duration in seconds, and mean loudness.
    private var frames = 0, age: Float = 0, weight: Float = 0
    /// Levels of the loudest recent frame and of the loudest recent band, dB. Both fall by 5 dB per second.
    private var peak: Float = -200, top: Float = -200
    /// Means over time, weighted by loudness: persistence, change, and directness.
    private var persistent: Float = 0, changed: Float = 0, direct: Float = 0
    /// Statistics of the tilt and of the level of the frames, dB.
    private var tilts = Scatter(), heights = Scatter()
    /// Fall: its mean, the time over which it was measured in seconds, and the level of the last frame in dB.
    private var fall: (share: Float, age: Float, last: Float) = (0.5, 0, -200)

    /// Creates statistics without past sound.
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

    /// Mean persistence of the fine structure, −1…1.
    private var persistence: Float { @_noLocks get { persistent / max(weight, 1e-12) } }
    /// Mean change of the envelope, dB.
    private var change: Float { @_noLocks get { changed / max(weight, 1e-12) } }
    /// Standard deviation of the tilt, dB.
    private var tilt: Float { @_noLocks get { tilts.deviation } }
    /// Standard deviation of the level of the frames, dB.
    private var spread: Float { @_noLocks get { heights.deviation } }

    /// Returns the likelihood of speech, 0…1. Before the first sound it is 1. `swing` is the level swing at the
    /// syllable rate, dB.
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
        // The channels are W, Y, Z, X in N3D. A plane wave from the direction has gain 1.
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

    /// Writes the loudness, fine structure and band levels of the frame in `powers` into the ring buffers.
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
        // Changes of noise far below the talker's level are not changes of the envelope.
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

    /// Sets all means to values of clear speech, with the weight of `presumed` seconds. A new voice is then audible
    /// from its first word.
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

    /// Returns the RMS difference of two envelopes, dB. The mean of each envelope is subtracted first.
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

/// Weighted mean and variance with exponential decay.
private struct Scatter: BitwiseCopyable {
    private var weight: Float = 0, mean: Float = 0, square: Float = 0

    /// Starts with the given mean, standard deviation and weight.
    @_noLocks
    init(_ mean: Float = 0, deviation: Float = 0, weight: Float = 0) {
        (self.weight, self.mean, square) = (weight, weight * mean, weight * (mean * mean + deviation * deviation))
    }

    /// Standard deviation; 0 before the first value.
    var deviation: Float {
        @_noLocks get {
            let mean = mean / max(weight, 1e-12)
            return prc_sqrtf(max(0, square / max(weight, 1e-12) - mean * mean))
        }
    }

    /// Adds a value with its weight. `step` is the share of the newest value in the means.
    @_noLocks
    mutating func add(_ value: Float, weight newest: Float, _ step: Float) {
        weight += step * (newest - weight)
        mean += step * (newest * value - mean)
        square += step * (newest * value * value - square)
    }
}
