import CRealtime

/// How likely a talker's stem is speech: by how much its level swings at the rate of syllables, and how often it is voiced.
///
/// The level from 300 to 4000 Hz in dB, its swing between averages of 30 and 150 ms (syllables come at 2 to 8 Hz), root of the mean
/// square over two seconds: speech swings by several dB, noise and held notes do not. Harmonicity is the highest normalised
/// autocorrelation of the spectrum's fourth root at periods from 80 to 350 Hz; speech is voiced part of the time, a held note all of it,
/// a noise never. Where the stem's frames are too short to tell the partials of a low voice apart, it is that of a beam of maximum
/// directivity to the talker in the frames of the direction analysis.
struct SpeechPresence: ~Copyable {
    private static var lags: Int { @_noLocks get { 40 } }
    private let from: Int, to: Int, top: Int
    private let cosines: Row<Float>, roots: Row<Float>
    private let fastShare: Float, slowShare: Float, longShare: Float, seconds: Float
    /// Whether voicing is heard in the frames of the direction analysis, the share of one of them in two seconds, and the bins of one
    /// for a bin of the stem.
    private let isBeam: Bool, beamShare: Float, beamSeconds: Float, finer: Int
    private var fast: Float = 0, slow: Float = 0, isFresh = true
    /// Mean squared swing in dB², and the mean of the harmonicity above its threshold, over two seconds.
    private(set) var swing: Float = 0, voiced: Float = 0
    private var age: Float = 0, isSounding = false
    /// 0…1.
    private(set) var value: Float = 0

    /// Nothing heard: no speech, until it has behaved like it for a quarter of a second.
    init(_ tuning: AudioMixTuning) {
        func bin(_ hertz: Double) -> Int { Int(hertz / tuning.rate * Double(tuning.frame)) }
        (from, to) = (bin(300), min(tuning.bins, bin(4000)))
        (isBeam, finer) = (tuning.frame < tuning.field, max(1, tuning.field / tuning.frame))
        (beamSeconds, beamShare) = (tuning.fieldSeconds, Float(1 - prc_exp(-Double(tuning.fieldSeconds) / 2)))
        let frame = isBeam ? tuning.field : tuning.frame
        top = min(isBeam ? tuning.fieldBins : tuning.bins, Int(2000 / tuning.rate * Double(frame)))
        seconds = Float(tuning.hop) / Float(tuning.rate)
        func share(_ time: Double) -> Float { Float(1 - prc_exp(-Double(tuning.hop) / tuning.rate / time)) }
        (fastShare, slowShare, longShare) = (share(0.03), share(0.15), share(2))
        roots = Row(top, 0)
        cosines = Row(Self.lags * top, 0)
        for lag in 0..<Self.lags {
            let pitch = 80 * prc_exp(Double(lag) / Double(Self.lags - 1) * prc_log(350 / 80))
            for k in 0..<top {
                let hertz = (Double(k) + 0.5) * tuning.rate / Double(frame)
                cosines.base[lag * top + k] = Float(prc_cos(2 * .pi * hertz / pitch))
            }
        }
    }

    /// Another talker begins.
    @_noLocks
    mutating func reset() { (isFresh, isSounding, swing, voiced, age, value) = (true, false, 0, 0, 0, 0) }

    /// One frame of a stem `[bin]`, with the share it has of each: what is mostly noise counts little. Cost: 40 multiply-adds for
    /// every bin below 2 kHz.
    @_noLocks
    mutating func hear(_ stem: UnsafePointer<Complex>, _ shares: UnsafePointer<Float>) {
        var power: Float = 1e-12
        for bin in from..<to { power += stem[bin].power * shares[bin] }
        let level = 4.342_945 * Float(prc_log(Double(power)))
        if isFresh { (fast, slow, isFresh) = (level, level, false) }
        fast += fastShare * (level - fast)
        slow += slowShare * (level - slow)
        // A pause of seconds is no swing, and no reason to think otherwise of who spoke.
        isSounding = level > slow - 25
        guard isSounding else { return }
        age += seconds
        let share = max(longShare, seconds / age)
        swing += share * (min(400, (fast - slow) * (fast - slow)) - swing)
        if !isBeam {
            for k in 0..<top { roots.base[k] = prc_sqrtf(prc_sqrtf(stem[k].power * shares[k])) }
            voiced += share * (harmonicity() - voiced)
        }
        func rise(_ x: Float, _ a: Float, _ b: Float) -> Float { max(0, min(1, (x - a) / (b - a))) }
        let isVoiced = isBeam ? rise(voiced, 0.055, 0.085) : rise(voiced, 0.13, 0.2)
        // What is as periodic as that all the time is a note.
        value = age < 0.25 ? 0 : rise(prc_sqrtf(swing), 1.2, 2.2) * isVoiced * (1 - rise(voiced, 0.45, 0.55))
    }

    /// One frame of the direction analysis `[bin]`, while the talker is heard there, with the stem's shares. Where the stem's own frames
    /// are long it does nothing. Cost: as that of the other.
    @_noLocks
    mutating func hear(
        field: UnsafePointer<Quad>, _ direction: SIMD3<Float>, _ shares: UnsafePointer<Float>
    ) {
        guard isBeam, isSounding else { return }
        let gains = SIMD4(0.25, direction.y * 0.433_012_7, direction.z * 0.433_012_7, direction.x * 0.433_012_7)
        for k in 0..<top {
            let (re, im) = ((field[k].re * gains).sum(), (field[k].im * gains).sum())
            roots.base[k] = prc_sqrtf(prc_sqrtf((re * re + im * im) * shares[k / finer]))
        }
        voiced += max(beamShare, beamSeconds / (age + beamSeconds)) * (harmonicity() - voiced)
    }

    /// The highest normalised autocorrelation of `roots`.
    @_noLocks
    private func harmonicity() -> Float {
        var sum: Float = 1e-12, best: Float = 0
        for k in 0..<top { sum += roots.base[k] }
        for lag in 0..<Self.lags {
            var match: Float = 0
            for k in 0..<top { match += roots.base[k] * cosines.base[lag * top + k] }
            best = max(best, match / sum)
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
