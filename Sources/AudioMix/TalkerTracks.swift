import CRealtime
import Signal

/// Tracking of the talkers over time from votes (directions of single bins, with weights): their number, directions and
/// confidence.
///
/// A histogram over directions sums the votes with a time constant of 0.4 s. A new track begins in a direction if the
/// histogram there exceeds 4.5 times its mean for 150 ms, and if all other tracks are at least 40° away. Each track
/// follows the weighted mean of the votes within 50° with an α-β filter. The filter is slow if only a few votes are
/// near. A track ends after 2.5 s without standing out, when its evidence becomes low, or within 25° of a track with
/// more evidence.
///
/// Up to two of the four tracks are the talkers. A track with enough evidence becomes a talker when enough ERB bands
/// agree on its direction (`BandAgreement`). A talker is audible while the bands agree. Each call of `follow` adds the
/// votes of one call of `OnsetVotes.hear`.
struct TalkerTracks: ~Copyable {
    /// Highest number of simultaneous talkers.
    static var limit: Int { @_noLocks get { 2 } }
    /// Highest number of simultaneous tracks.
    private static var trackLimit: Int { @_noLocks get { 4 } }

    /// One track: the direction of a sound over time.
    struct Track: BitwiseCopyable {
        var isActive = false
        /// Serial number of the track. A new number in the same place marks a new talker.
        var number = 0
        /// Direction as a unit vector.
        var direction = SIMD3<Float>(1, 0, 0)
        /// Velocity of the direction, radians per second.
        var velocity = SIMD3<Float>.zero
        /// Ratio of the histogram around the direction to its mean over all directions.
        var prominence: Float = 0
        /// Mean over two seconds of the prominence. Prominences above 8 count as 8.
        var evidence: Float = 0
        /// Time since the track last stood out, seconds.
        var unseen: Float = 0
        /// Whether enough ERB bands agree on the direction.
        var isBroad = false
        /// Decaying sums, over one second, of the votes near the direction and of all votes.
        var near: Float = 0, all: Float = 0

        /// Creates an inactive track.
        @_noLocks
        init() {}

        /// Creates an active track.
        @_noLocks
        init(number: Int, direction: SIMD3<Float>, prominence: Float, evidence: Float) {
            (isActive, self.number, self.direction) = (true, number, direction)
            (self.prominence, self.evidence) = (prominence, evidence)
        }

        /// Confidence that the track is a talker, 0…1. In any field, directions stand out briefly by chance. Musical
        /// notes make directions stand out in few bands.
        var sureness: Float {
            @_noLocks get { isActive && isBroad ? max(0, min(1, (evidence - 2.7) / 0.6)) : 0 }
        }
    }

    /// `[talker]`: tracks of the talkers. A talker keeps its place while its track lasts, unless a much stronger track
    /// replaces it.
    let talkers: Row<Track>
    private let tracks: Row<Track>
    private let grid = DirectionGrid()
    private let agreement: BandAgreement
    /// `[cell]`: decaying sum of the votes, and this sum smoothed over neighbouring cells.
    private let histogram: Row<Float>, smooth: Row<Float>
    /// Interval between frames in seconds, and decay factor of the histogram per frame.
    private let seconds: Float, forget: Float
    /// Mean weight of a frame's votes, number of frames, and number of tracks so far.
    private var meanWeight: Float = 0, heard = 0, numbers = 0
    /// Direction that may begin a track, and number of frames in which it stood out.
    private var candidate = SIMD3<Float>.zero, candidateFrames = 0

    /// Lowest prominence at which a track begins.
    private static var begins: Float { @_noLocks get { 4.5 } }
    /// Prominence above which a track stands out.
    private static var ends: Float { @_noLocks get { 2.2 } }
    /// Lowest prominence of a new track, relative to the strongest track.
    private static var besides: Float { @_noLocks get { 0.25 } }
    /// Mean over the sphere of the weight that `move` gives to votes.
    private static var chance: Float { @_noLocks get { 0.089 } }
    /// Cosine of 50°, the largest angle between a track and a vote for it.
    private static var nearCosine: Float { @_noLocks get { 0.642_787_6 } }

    /// Starts without tracks.
    init(_ tuning: AudioMixTuning) {
        talkers = Row(Self.limit, Track())
        tracks = Row(Self.trackLimit, Track())
        histogram = Row(grid.count, 0)
        smooth = Row(grid.count, 0)
        agreement = BandAgreement(tuning, directions: Self.trackLimit)
        seconds = tuning.fieldSeconds
        forget = Float(prc_exp(-Double(seconds) / 0.4))
    }

    /// Clears all tracks and the histogram.
    @_noLocks
    mutating func reset() {
        for i in 0..<tracks.count { tracks.base[i] = Track() }
        for i in 0..<talkers.count { talkers.base[i] = Track() }
        for i in 0..<histogram.count { histogram.base[i] = 0 }
        (meanWeight, heard, numbers, candidate, candidateFrames) = (0, 0, 0, .zero, 0)
    }

    /// Adds one frame of votes and updates all tracks. Cost: about 0.1 ms.
    @_noLocks
    mutating func follow(_ votes: borrowing Row<SIMD4<Float>>) {
        var total: Float = 0
        for i in 0..<grid.count { histogram.base[i] *= forget }
        for bin in 0..<votes.count where votes.base[bin].w > 0 {
            let vote = votes.base[bin]
            histogram.base[grid.cell(SIMD3(vote.x, vote.y, vote.z))] += (1 - forget) * vote.w
            total += vote.w
        }
        heard += 1
        meanWeight += (total - meanWeight) / Float(min(heard, 100))
        grid.spread(histogram, into: smooth)
        var mean: Float = 1e-12
        for i in 0..<grid.count { mean += smooth.base[i] }
        mean /= Float(grid.count)
        var strongest: Float = 0
        for i in 0..<Self.trackLimit where tracks.base[i].isActive {
            move(i, votes)
            let bands = agreement.hear(i, tracks.base[i].direction, votes, besides: other(i))
            judge(i, mean)
            tracks.base[i].isBroad = agreement.judge(
                i, bands: bands, standsOut: tracks.base[i].prominence > Self.ends)
            strongest = max(strongest, tracks.base[i].isActive ? tracks.base[i].prominence : 0)
        }
        merge()
        begin(mean, strongest)
        choose()
    }

    /// Selects the talkers' tracks. Talkers keep their places. A free place is given to a broad track with an evidence
    /// above 3.3. If no place is free, such a track replaces the weaker talker if its evidence is higher by more than
    /// 1.
    @_noLocks
    private func choose() {
        for place in 0..<Self.limit {
            var found: Track?
            for i in 0..<Self.trackLimit
            where tracks.base[i].isActive && tracks.base[i].number == talkers.base[place].number {
                found = tracks.base[i]
            }
            talkers.base[place] = found ?? Track()
        }
        for i in 0..<Self.trackLimit where tracks.base[i].isActive && tracks.base[i].evidence > 3.3 {
            let track = tracks.base[i]
            guard track.number != talkers.base[0].number, track.number != talkers.base[1].number else { continue }
            let weakest = talkers.base[0].evidence <= talkers.base[1].evidence ? 0 : 1
            let place = !talkers.base[0].isActive ? 0 : !talkers.base[1].isActive ? 1 : weakest
            // The transfer function of a talker is learnt from this moment, so the direction must not be an accidental
            // one.
            guard track.isBroad else { continue }
            if !talkers.base[place].isActive || track.evidence > talkers.base[place].evidence + 1 {
                talkers.base[place] = track
            }
        }
    }

    /// Predicts and corrects the direction of one track.
    @_noLocks
    private func move(_ index: Int, _ votes: borrowing Row<SIMD4<Float>>) {
        var track = tracks.base[index]
        track.direction = Self.unit(track.direction + track.velocity * seconds)
        var sum = SIMD3<Float>.zero, weight: Float = 0, total: Float = 0
        for bin in 0..<votes.count {
            total += votes.base[bin].w
            let vote = SIMD3(votes.base[bin].x, votes.base[bin].y, votes.base[bin].z)
            let near = ((vote * track.direction).sum() - Self.nearCosine) / (1 - Self.nearCosine)
            guard near > 0 else { continue }
            sum += vote * (votes.base[bin].w * near)
            weight += votes.base[bin].w * near
        }
        track.near += min(1, seconds) * (weight - track.near)
        track.all += min(1, seconds) * (total - track.all)
        if weight > 1e-12 {
            var error = Self.unit(sum) - track.direction
            error -= track.direction * (error * track.direction).sum()
            // If the evidence is low and the votes near the direction are not many more than in an isotropic field, the
            // track follows slowly and without velocity.
            let excess = max(0, weight - Self.chance * total)
            let near = (track.near / max(track.all, 1e-12) - 0.35) / 0.2
            let sure = max(0, min(1, max(near, (track.evidence - 3) / 4)))
            let share = (0.15 + 0.85 * sure) * excess / (excess + 1.5 * meanWeight)
            track.direction = Self.unit(track.direction + share * error)
            track.velocity += 0.05 * sure * share / seconds * error
            track.velocity *= 1 - (1 - sure) * min(1, seconds)
            track.velocity -= track.direction * (track.velocity * track.direction).sum()
            let speed = prc_sqrtf((track.velocity * track.velocity).sum())
            if speed > 1.2 { track.velocity *= 1.2 / speed }
        }
        tracks.base[index] = track
    }

    /// Returns the direction of the most prominent other broad track, or zero if there is no such track.
    @_noLocks
    private func other(_ index: Int) -> SIMD3<Float> {
        var most: Float = 0, direction = SIMD3<Float>.zero
        for i in 0..<Self.trackLimit where i != index {
            let track = tracks.base[i]
            guard track.isActive, track.isBroad, track.prominence > most else { continue }
            (most, direction) = (track.prominence, track.direction)
        }
        return direction
    }

    /// Updates the prominence and evidence of a track, and ends the track if they are too low.
    @_noLocks
    private func judge(_ index: Int, _ mean: Float) {
        var track = tracks.base[index]
        // The histogram is 0.4 s late, so a moving talker stands out in its earlier direction.
        let before = Self.unit(track.direction - 0.4 * track.velocity)
        track.prominence =
            max(smooth.base[grid.cell(track.direction)], smooth.base[grid.cell(before)]) / mean
        track.evidence += min(1, seconds / 2) * (min(track.prominence, 8) - track.evidence)
        track.unseen = track.prominence > Self.ends ? 0 : track.unseen + seconds
        track.isActive = track.unseen < 2.5 && track.evidence > 2.4
        tracks.base[index] = track
    }

    /// Finds pairs of tracks within 25° and ends the track with less evidence.
    @_noLocks
    private func merge() {
        for i in 0..<Self.trackLimit where tracks.base[i].isActive {
            for k in 0..<i
            where tracks.base[k].isActive && (tracks.base[i].direction * tracks.base[k].direction).sum() > 0.906 {
                tracks.base[tracks.base[k].evidence < tracks.base[i].evidence ? k : i].isActive = false
            }
        }
    }

    /// Begins a track in a direction that stands out at least 40° from all active tracks.
    @_noLocks
    private mutating func begin(_ mean: Float, _ strongest: Float) {
        var free: Int?
        for i in 0..<Self.trackLimit where !tracks.base[i].isActive && free == nil { free = i }
        guard let place = free else { return }
        var best: Float = 0, at = 0
        for i in 0..<grid.count where smooth.base[i] > best {
            var isKnown = false
            for k in 0..<Self.trackLimit where tracks.base[k].isActive {
                isKnown = isKnown || (grid.centres.base[i] * tracks.base[k].direction).sum() > 0.766
            }
            if !isKnown { (best, at) = (smooth.base[i], i) }
        }
        guard best > Self.begins * mean, best > Self.besides * strongest * mean else {
            candidateFrames = max(0, candidateFrames - 1)
            return
        }
        let direction = grid.centres.base[at]
        candidateFrames = (direction * candidate).sum() > 0.906 ? candidateFrames + 1 : 1
        candidate = direction
        guard Float(candidateFrames) * seconds >= 0.15 else { return }
        candidateFrames = 0
        numbers += 1
        agreement.reset(place)
        tracks.base[place] = Track(
            number: numbers, direction: direction, prominence: best / mean, evidence: best > 7 * mean ? 3.2 : 2.7)
    }

    @_noLocks
    private static func unit(_ v: SIMD3<Float>) -> SIMD3<Float> { v / max(prc_sqrtf((v * v).sum()), 1e-12) }
}
