import CRealtime

/// How likely a talker's stem is speech: by how much its level swings at the rate of syllables,
/// and how often it is voiced.
///
/// The level from 300 to 4000 Hz in dB, its swing between averages of 30 and 150 ms (syllables come at 2 to 8 Hz), root
/// of the mean square over two seconds: speech swings by several dB, noise and held notes do not. Harmonicity is the
/// highest normalised autocorrelation at periods from 80 to 350 Hz of what in the spectrum's fourth root stands out of
/// its neighbours within 130 Hz, so that it differs little between speech alone and among noise; averaged over 50 ms,
/// which speech's pitch outlasts and noise does not, and then as loud frames have it. Speech is voiced part of the
/// time, a held note all of it, a noise never.
struct SpeechPresence: ~Copyable {
    private static var lags: Int { @_noLocks get { 40 } }
    private let from: Int, to: Int, top: Int
    private let cosines: Row<Float>, roots: Row<Float>, sums: Row<Float>
    /// `[lag]`: the autocorrelation over the last 50 ms.
    private let matches: Row<Float>
    /// Bins on each side that are a bin's neighbours.
    private let near: Int
    private let voicing: AudioMixTuning.Voicing
    private let fastShare: Float, matchShare: Float, slowShare: Float, longShare: Float, seconds: Float
    private var fast: Float = 0, slow: Float = 0, isFresh = true
    /// Mean squared swing in dB², and the mean harmonicity of loud frames, over two seconds.
    private(set) var swing: Float = 0, voiced: Float = 0
    private var age: Float = 0
    /// Means over two seconds of the weights, and of the harmonicity times these.
    private var weight: Float = 0, weighted: Float = 0
    /// 0…1.
    private(set) var value: Float = 0

    /// Nothing heard: no speech, until it has behaved like it for a quarter of a second.
    init(_ tuning: AudioMixTuning) {
        func bin(_ hertz: Double) -> Int { Int(hertz / tuning.rate * Double(tuning.frame)) }
        (from, to, top) = (bin(300), min(tuning.bins, bin(4000)), min(tuning.bins, bin(2000)))
        seconds = Float(tuning.hop) / Float(tuning.rate)
        func share(_ time: Double) -> Float { Float(1 - prc_exp(-Double(tuning.hop) / tuning.rate / time)) }
        (fastShare, matchShare, slowShare, longShare) = (share(0.03), share(0.05), share(0.15), share(2))
        voicing = tuning.voicing
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

    /// Another talker begins.
    @_noLocks
    mutating func reset() {
        (isFresh, swing, voiced, age, value) = (true, 0, 0, 0, 0)
        (weight, weighted) = (0, 0)
        for lag in 0..<Self.lags { matches.base[lag] = 0 }
    }

    /// One frame of a stem `[bin]`, with the share it has of each: what is mostly noise counts little. Cost: 40
    /// multiply-adds for every bin below 2 kHz.
    @_noLocks
    mutating func hear(_ stem: UnsafePointer<Complex>, _ shares: UnsafePointer<Float>) {
        var power: Float = 1e-12
        for bin in from..<to { power += stem[bin].power * shares[bin] }
        let level = 4.342_945 * Float(prc_log(Double(power)))
        if isFresh { (fast, slow, isFresh) = (level, level, false) }
        fast += fastShare * (level - fast)
        slow += slowShare * (level - slow)
        // A pause of seconds is no swing, and no reason to think otherwise of who spoke.
        guard level > slow - 25 else { return }
        age += seconds
        let share = max(longShare, seconds / age)
        swing += share * (min(400, (fast - slow) * (fast - slow)) - swing)
        let loud = prc_sqrtf(prc_sqrtf(power))
        weight += share * (loud - weight)
        weighted += share * (loud * harmonicity(stem, shares) - weighted)
        voiced = weighted / max(weight, 1e-12)
        func rise(_ x: Float, _ a: Float, _ b: Float) -> Float { max(0, min(1, (x - a) / (b - a))) }
        // What is as periodic as that all the time is a note.
        value =
            age < 0.25
            ? 0
            : rise(prc_sqrtf(swing), 1.2, 2.2) * rise(voiced, voicing.speech.from, voicing.speech.to)
                * (1 - rise(voiced, voicing.note.from, voicing.note.to))
    }

    /// How periodic the spectrum of the last 50 ms is, 0…1.
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

    /// What is known of a talker on a track.
    @_noLocks
    func state(_ track: TalkerTracks.Track) -> TalkerState {
        TalkerState(
            direction: track.direction, prominence: track.prominence, presence: value, swing: prc_sqrtf(swing),
            voicing: voiced)
    }
}
