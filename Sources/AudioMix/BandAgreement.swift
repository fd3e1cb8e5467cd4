import CRealtime

/// In how many critical bands the votes agree on a direction.
///
/// A talker feeds most bands from one place. A note that is held in a fixed field is coherent, so its few bins have *a*
/// direction, but the next partial's is another: where chance heaps such votes up, few bands have fed the heap. The
/// bands are 18 of equal width on the scale of ERB (Glasberg and Moore 1990) from 200 Hz to 5 kHz; one agrees where,
/// over 0.6 s, more than 2.3 times as much of its votes lies within 21.6° of the direction as would of votes from
/// everywhere. What another talker has within 41° counts for nothing.
///
/// A direction is broad from ten bands on, and as long as eight agree on it in the mean over a second: chance reaches
/// ten, too, but falls back to five. While the direction does not stand out, in pauses,
/// that mean moves within eight seconds only.
struct BandAgreement: ~Copyable {
    /// Bands.
    static var bands: Int { @_noLocks get { 18 } }
    /// What makes a direction broad, and what its mean must keep.
    static var broad: Int { @_noLocks get { 10 } }
    private static var kept: Float { @_noLocks get { 8 } }
    private static var nearCosine: Float { @_noLocks get { 0.93 } }
    private static var besideCosine: Float { @_noLocks get { 0.75 } }
    private let band: Row<Int>
    /// `[direction][band]`.
    private let near: Row<Float>, all: Row<Float>
    /// `[direction]`: the mean of the bands that agree, and whether it is broad.
    private let means: Row<Float>, isBroad: Row<Bool>
    private let forget: Float, seconds: Float

    /// Nothing heard of a number of directions.
    init(_ tuning: AudioMixTuning, directions: Int) {
        func scale(_ hertz: Double) -> Double { prc_log(1 + 0.004_37 * hertz) }
        band = Row(tuning.fieldBins, 0)
        for bin in 0..<tuning.fieldBins {
            let hertz = (Double(bin) + 0.5) * tuning.rate / Double(tuning.field)
            let place = (scale(hertz) - scale(200)) / (scale(5000) - scale(200))
            band.base[bin] = max(0, min(Self.bands - 1, Int(place * Double(Self.bands))))
        }
        near = Row(directions * Self.bands, 0)
        all = Row(directions * Self.bands, 0)
        means = Row(directions, 0)
        isBroad = Row(directions, false)
        seconds = tuning.fieldSeconds
        forget = Float(prc_exp(-Double(tuning.fieldSeconds) / 0.6))
    }

    /// Forgets what a direction was fed by.
    @_noLocks
    func reset(_ index: Int) {
        for i in index * Self.bands..<(index + 1) * Self.bands { (near.base[i], all.base[i]) = (0, 0) }
        (means.base[index], isBroad.base[index]) = (0, false)
    }

    /// Hears one frame of votes, and gives how many bands agree on a direction; `other` is where another talker is, or
    /// zero. Cost: O(bins).
    @_noLocks
    func hear(
        _ index: Int, _ direction: SIMD3<Float>, _ votes: borrowing Row<SIMD4<Float>>, besides other: SIMD3<Float>
    ) -> Int {
        let own = near.base + index * Self.bands, whole = all.base + index * Self.bands
        for i in 0..<Self.bands { (own[i], whole[i]) = (own[i] * forget, whole[i] * forget) }
        for bin in 0..<votes.count where votes.base[bin].w > 0 {
            let vote = votes.base[bin], i = band.base[bin]
            let place = SIMD3(vote.x, vote.y, vote.z), isNear = (place * direction).sum() > Self.nearCosine
            guard isNear || (place * other).sum() <= Self.besideCosine else { continue }
            whole[i] += vote.w
            if isNear { own[i] += vote.w }
        }
        // The cap's share of the sphere.
        let share = (1 - Self.nearCosine) / 2
        var agreeing = 0
        for i in 0..<Self.bands where own[i] > 2.3 * (share * whole[i] + 1e-6) { agreeing += 1 }
        return agreeing
    }

    /// Whether a direction on which so many bands agree is broad; once in a frame.
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
