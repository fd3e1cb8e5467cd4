import CRealtime

/// Count of the ERB bands whose votes (directions of single bins, `OnsetVotes`) agree on a direction.
///
/// A talker excites most bands from one place. A held note in a static field is coherent, so that the bins of a partial
/// agree on one direction, but the next partial has another direction. If such votes accumulate in one direction by
/// chance, they come from few bands.
///
/// The 18 bands have equal width on the ERB scale (Glasberg and Moore 1990) from 200 Hz to 5 kHz. Votes are averaged
/// over 0.9 s. A band agrees if the votes within 21.6° of the direction exceed 2.8 times their share in an isotropic
/// field. Votes within 41° of another talker are ignored unless they lie within 21.6° of the direction.
///
/// A direction becomes broad, as a talker's must be, when at least eleven bands agree. It remains broad while the mean
/// count over one second is at least eight. By chance the count also reaches eleven, but falls back to five. In pauses,
/// when the direction does not stand out, the time constant of the mean is eight seconds.
struct BandAgreement: ~Copyable {
    /// Number of bands.
    static var bands: Int { @_noLocks get { 18 } }
    /// Number of agreeing bands at which a direction becomes broad.
    static var broad: Int { @_noLocks get { 11 } }
    /// Lowest mean number of agreeing bands at which a direction remains broad.
    private static var kept: Float { @_noLocks get { 8 } }
    /// Cosine of 21.6°, the largest angle between the direction and a vote for it.
    private static var nearCosine: Float { @_noLocks get { 0.93 } }
    /// Cosine of 41.4°, the angle around another talker within which votes are ignored.
    private static var besideCosine: Float { @_noLocks get { 0.75 } }
    /// `[bin]`: ERB band of a vote. A call may pass several frames, and their bins have the same bands.
    private let band: Row<Int>
    /// Decaying sums `[direction][band]`: votes near the direction, and all counted votes.
    private let near: Row<Float>, all: Row<Float>
    /// `[direction]`: mean number of agreeing bands, and whether the direction is broad.
    private let means: Row<Float>, isBroad: Row<Bool>
    /// Decay factor of the sums per frame, and interval between frames in seconds.
    private let forget: Float, seconds: Float

    /// Creates empty statistics of `directions` directions.
    init(_ tuning: AudioMixTuning, directions: Int) {
        func scale(_ hertz: Double) -> Double { prc_log(1 + 0.004_37 * hertz) }
        band = Row(tuning.voteBins, 0)
        for bin in 0..<band.count {
            let hertz = (Double(bin) + 0.5) * tuning.rate / Double(tuning.voteFrame)
            let place = (scale(hertz) - scale(200)) / (scale(5000) - scale(200))
            band.base[bin] = max(0, min(Self.bands - 1, Int(place * Double(Self.bands))))
        }
        near = Row(directions * Self.bands, 0)
        all = Row(directions * Self.bands, 0)
        means = Row(directions, 0)
        isBroad = Row(directions, false)
        seconds = tuning.fieldSeconds
        forget = Float(prc_exp(-Double(tuning.fieldSeconds) / 0.9))
    }

    /// Clears the statistics of one direction.
    @_noLocks
    func reset(_ index: Int) {
        for i in index * Self.bands..<(index + 1) * Self.bands { (near.base[i], all.base[i]) = (0, 0) }
        (means.base[index], isBroad.base[index]) = (0, false)
    }

    /// Adds one frame of votes for direction number `index` and returns the number of bands that agree on `direction`.
    /// `other` is the direction of another talker, or zero if no other talker is known. Cost: O(bins).
    @_noLocks
    func hear(
        _ index: Int, _ direction: SIMD3<Float>, _ votes: borrowing Row<SIMD4<Float>>, besides other: SIMD3<Float>
    ) -> Int {
        let own = near.base + index * Self.bands, whole = all.base + index * Self.bands
        for i in 0..<Self.bands { (own[i], whole[i]) = (own[i] * forget, whole[i] * forget) }
        for bin in 0..<votes.count where votes.base[bin].w > 0 {
            let vote = votes.base[bin], i = band.base[bin % band.count]
            let place = SIMD3(vote.x, vote.y, vote.z), isNear = (place * direction).sum() > Self.nearCosine
            guard isNear || (place * other).sum() <= Self.besideCosine else { continue }
            whole[i] += vote.w
            if isNear { own[i] += vote.w }
        }
        // Share of the sphere's surface within 21.6° of a direction.
        let share = (1 - Self.nearCosine) / 2
        var agreeing = 0
        for i in 0..<Self.bands where own[i] > 2.8 * (share * whole[i] + 1e-6) { agreeing += 1 }
        return agreeing
    }

    /// Updates the mean count of a direction and returns whether the direction is broad. Call it once per frame.
    @_noLocks
    func judge(_ index: Int, bands: Int, standsOut: Bool) -> Bool {
        if !isBroad.base[index], bands >= Self.broad {
            isBroad.base[index] = true
            means.base[index] = max(means.base[index], Float(bands))
        } else {
            means.base[index] += seconds / (standsOut ? 1 : 8) * (Float(bands) - means.base[index])
        }
        isBroad.base[index] = isBroad.base[index] && means.base[index] >= Self.kept
        return isBroad.base[index]
    }
}
