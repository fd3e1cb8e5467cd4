import CRealtime

/// Likelihood that a talker's stem is speech. It is determined by the level swing at the syllable rate, the
/// harmonicity, and the changes of the spectrum (`SpectralMotion`).
///
/// The level, in dB, is that of the bins from 300 to 4000 Hz. The swing is the RMS, over two seconds, of the difference
/// between the level's averages over 30 and 150 ms. Syllables come at 2 to 8 Hz, so that the level of speech swings by
/// several dB. The level of noise and held notes does not.
///
/// Harmonicity is the highest normalised autocorrelation of the spectrum at pitches from 80 to 350 Hz. It uses the
/// fourth root of the power spectrum, minus the mean of the neighbours within 130 Hz. The result is similar for speech
/// alone and speech in noise. The autocorrelation is averaged over 50 ms, because the pitch of speech lasts longer than
/// the accidental pitch of noise. The mean over two seconds gives loud frames more weight. Part of speech is voiced;
/// noise never is.
struct SpeechPresence: ~Copyable {
    /// Number of pitches at which the autocorrelation is computed.
    private static var lags: Int { @_noLocks get { 40 } }
    /// Bins at 300, 4000 and 2000 Hz.
    private let from: Int, to: Int, top: Int
    /// `[lag][bin]`: cosines for the autocorrelation. `[bin]`: fourth root of the power, and the sum of the roots below
    /// the bin.
    private let cosines: Row<Float>, roots: Row<Float>, sums: Row<Float>
    /// `[lag]`: autocorrelation averaged over the last 50 ms.
    private let matches: Row<Float>
    /// Number of neighbouring bins on each side for the mean of the spectrum.
    private let near: Int
    private let voicing: (from: Float, to: Float)
    /// Weights of the newest frame in means over 30 ms, 50 ms, 150 ms and 2 s; and interval between frames in seconds.
    private let fastShare: Float, matchShare: Float, slowShare: Float, longShare: Float, seconds: Float
    /// Levels averaged over 30 and 150 ms, dB; and whether there was no frame yet.
    private var fast: Float = 0, slow: Float = 0, isFresh = true
    /// Mean square of the swing, dB², and mean harmonicity of loud frames, 0…1. Both means extend over two seconds.
    private(set) var swing: Float = 0, voiced: Float = 0
    /// Duration of the stem without long pauses, seconds.
    private var age: Float = 0
    private var motion: SpectralMotion
    /// Means over two seconds of the loudness weight, and of the harmonicity times this weight.
    private var weight: Float = 0, weighted: Float = 0
    /// Likelihood of speech, 0…1.
    private(set) var value: Float = 0

    /// Starts with likelihood 0. The likelihood rises after a quarter of a second of speech at the earliest.
    init(_ tuning: AudioMixTuning) {
        func bin(_ hertz: Double) -> Int { Int(hertz / tuning.rate * Double(tuning.frame)) }
        (from, to, top) = (bin(300), min(tuning.bins, bin(4000)), min(tuning.bins, bin(2000)))
        seconds = Float(tuning.hop) / Float(tuning.rate)
        func share(_ time: Double) -> Float { Float(1 - prc_exp(-Double(tuning.hop) / tuning.rate / time)) }
        (fastShare, matchShare, slowShare, longShare) = (share(0.03), share(0.05), share(0.15), share(2))
        voicing = tuning.voicing
        motion = SpectralMotion(tuning)
        near = max(1, bin(130))
        roots = Row(top, 0)
        sums = Row(top + 1, 0)
        matches = Row(Self.lags, 0)
        cosines = Row(Self.lags * top, 0)
        for lag in 0..<Self.lags {
            let pitch = 80 * prc_exp(Double(lag) / Double(Self.lags - 1) * prc_log(350 / 80))
            for k in 0..<top { cosines.base[lag * top + k] = Float(prc_cos(2 * .pi * Double(tuning.hertz(k)) / pitch)) }
        }
    }

    /// Clears the statistics for a new talker.
    @_noLocks
    mutating func reset() {
        (isFresh, swing, voiced, age, value) = (true, 0, 0, 0, 0)
        (weight, weighted) = (0, 0)
        motion.reset()
        for lag in 0..<Self.lags { matches.base[lag] = 0 }
    }

    /// Adds one frame of the stem `[bin]`. `shares` are the talker's shares of the bins, so that bins of noise count
    /// little. Cost: 40 multiply-adds for every bin below 2 kHz.
    @_noLocks
    mutating func hear(_ stem: UnsafePointer<Complex>, _ shares: UnsafePointer<Float>) {
        var power: Float = 1e-12
        for bin in from..<to { power += stem[bin].power * shares[bin] }
        let level = 4.342_945 * Float(prc_log(Double(power)))
        if isFresh { (fast, slow, isFresh) = (level, level, false) }
        fast += fastShare * (level - fast)
        slow += slowShare * (level - slow)
        // In a long pause, the level falls far below its average. This fall is not a swing, so the estimate stays
        // unchanged.
        guard level > slow - 25 else { return }
        age += seconds
        let share = max(longShare, seconds / age)
        swing += share * (min(400, (fast - slow) * (fast - slow)) - swing)
        let loud = prc_sqrtf(prc_sqrtf(power))
        weight += share * (loud - weight)
        weighted += share * (loud * harmonicity(stem, shares) - weighted)
        voiced = weighted / max(weight, 1e-12)
        func rise(_ x: Float, _ a: Float, _ b: Float) -> Float { max(0, min(1, (x - a) / (b - a))) }
        value =
            age < 0.25
            ? 0
            : rise(prc_sqrtf(swing), 1.2, 2.2) * rise(voiced, voicing.from, voicing.to)
                * motion.likelihood(swing: prc_sqrtf(swing))
    }

    /// Adds one frame of the direction analysis, with the talker's direction and shares of the bins.
    @_noLocks
    mutating func hear(
        field: UnsafePointer<Quad>, _ direction: SIMD3<Float>, _ shares: UnsafePointer<Float>, directness: Float
    ) {
        motion.hear(field, direction, shares, directness: directness)
    }

    /// Returns the harmonicity of the spectrum, 0…1, averaged over the last 50 ms.
    @_noLocks
    private func harmonicity(_ stem: UnsafePointer<Complex>, _ shares: UnsafePointer<Float>) -> Float {
        for k in 0..<top {
            roots.base[k] = prc_sqrtf(prc_sqrtf(stem[k].power * shares[k]))
            sums.base[k + 1] = sums.base[k] + roots.base[k]
        }
        var sum: Float = 1e-12
        for k in 0..<top {
            let (first, last) = (max(0, k - near), min(top, k + near + 1))
            let mean = (sums.base[last] - sums.base[first]) / Float(last - first)
            roots.base[k] = max(0, roots.base[k] - mean)
            sum += roots.base[k]
        }
        var best: Float = 0
        for lag in 0..<Self.lags {
            var match: Float = 0
            for k in 0..<top { match += roots.base[k] * cosines.base[lag * top + k] }
            matches.base[lag] += matchShare * (match / sum - matches.base[lag])
            best = max(best, matches.base[lag])
        }
        return best
    }

    /// Returns the state of the talker with the given track.
    @_noLocks
    func state(_ track: TalkerTracks.Track) -> TalkerState {
        TalkerState(
            direction: track.direction, prominence: track.prominence, presence: value, swing: prc_sqrtf(swing),
            voicing: voiced)
    }
}
