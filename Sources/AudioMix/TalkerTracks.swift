import CRealtime
import Signal

/// Talkers' directions followed over time from the votes of a field's bins: how many, where, how sure.
///
/// Votes gather in a histogram over directions that forgets within 0.4 s. A direction that stands out of its mean by a
/// factor of 4.5 for 150 ms, far from those known, begins a track; each track follows the weighted mean of the votes
/// within 50° of it with an α-β filter, and ends when it has not stood out for 2.5 s. Of four tracks the two with the
/// most evidence are the talkers, and are heard while critical bands enough agree on their direction (`BandAgreement`).
/// Times are the caller's: one call is one frame.
struct TalkerTracks: ~Copyable {
    /// The most talkers at once.
    static var limit: Int { @_noLocks get { 2 } }
    /// The most directions followed at once.
    private static var trackLimit: Int { @_noLocks get { 4 } }

    /// One talker's track.
    struct Track: BitwiseCopyable {
        var isActive = false
        /// Counts tracks: another number in the same place is another talker.
        var number = 0
        var direction = SIMD3<Float>(1, 0, 0)
        var velocity = SIMD3<Float>.zero
        var prominence: Float = 0
        /// The mean of the prominence over two seconds, at most 8.
        var evidence: Float = 0
        /// Seconds since it stood out last.
        var unseen: Float = 0
        /// Whether critical bands enough agree on it.
        var isBroad = false

        /// No talker.
        @_noLocks
        init() {}

        /// A track that begins.
        @_noLocks
        init(number: Int, direction: SIMD3<Float>, prominence: Float, evidence: Float) {
            (isActive, self.number, self.direction) = (true, number, direction)
            (self.prominence, self.evidence) = (prominence, evidence)
        }

        /// Whether its evidence is a talker's, 0…1: chance brings directions forward for a moment in any field,
        /// and notes in few bands.
        var sureness: Float {
            @_noLocks get { isActive && isBroad ? max(0, min(1, (evidence - 2.7) / 0.6)) : 0 }
        }
    }

    /// `[talker]`: the tracks that are talkers; a talker keeps its place as long as it is one.
    let talkers: Row<Track>
    private let tracks: Row<Track>
    private let grid = DirectionGrid()
    private let agreement: BandAgreement
    private let histogram: Row<Float>, smooth: Row<Float>
    private let seconds: Float, forget: Float
    private var meanWeight: Float = 0, heard = 0, numbers = 0
    private var candidate = SIMD3<Float>.zero, candidateFrames = 0

    private static var begins: Float { @_noLocks get { 4.5 } }
    private static var ends: Float { @_noLocks get { 2.2 } }
    /// Of the strongest track's prominence, what another needs.
    private static var besides: Float { @_noLocks get { 0.25 } }
    private static var nearCosine: Float { @_noLocks get { 0.642_787_6 } }

    /// No talkers yet.
    init(_ tuning: AudioMixTuning) {
        talkers = Row(Self.limit, Track())
        tracks = Row(Self.trackLimit, Track())
        histogram = Row(grid.count, 0)
        smooth = Row(grid.count, 0)
        agreement = BandAgreement(tuning, directions: Self.trackLimit)
        seconds = tuning.fieldSeconds
        forget = Float(prc_exp(-Double(seconds) / 0.4))
    }

    /// Forgets everything.
    @_noLocks
    mutating func reset() {
        for i in 0..<tracks.count { tracks.base[i] = Track() }
        for i in 0..<talkers.count { talkers.base[i] = Track() }
        for i in 0..<histogram.count { histogram.base[i] = 0 }
        (meanWeight, heard, numbers, candidate, candidateFrames) = (0, 0, 0, .zero, 0)
    }

    /// One frame of votes. Cost: about 0.1 ms.
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

    /// The tracks that are talkers: those that were, while they are, then those with the most evidence.
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
            if !talkers.base[place].isActive || track.evidence > talkers.base[place].evidence + 1 {
                talkers.base[place] = track
            }
        }
    }

    /// Predicts and corrects one track.
    @_noLocks
    private func move(_ index: Int, _ votes: borrowing Row<SIMD4<Float>>) {
        var track = tracks.base[index]
        track.direction = Self.unit(track.direction + track.velocity * seconds)
        var sum = SIMD3<Float>.zero, weight: Float = 0
        for bin in 0..<votes.count {
            let vote = SIMD3(votes.base[bin].x, votes.base[bin].y, votes.base[bin].z)
            let near = ((vote * track.direction).sum() - Self.nearCosine) / (1 - Self.nearCosine)
            guard near > 0 else { continue }
            sum += vote * (votes.base[bin].w * near)
            weight += votes.base[bin].w * near
        }
        if weight > 1e-12 {
            var error = Self.unit(sum) - track.direction
            error -= track.direction * (error * track.direction).sum()
            let share = weight / (weight + 1.5 * meanWeight)
            track.direction = Self.unit(track.direction + share * error)
            track.velocity += 0.05 * share / seconds * error
            track.velocity -= track.direction * (track.velocity * track.direction).sum()
            let speed = prc_sqrtf((track.velocity * track.velocity).sum())
            if speed > 1.2 { track.velocity *= 1.2 / speed }
        }
        tracks.base[index] = track
    }

    /// Where the most prominent of the other broad tracks is; zero where there is none.
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

    /// How far a track stands out, and whether it goes on.
    @_noLocks
    private func judge(_ index: Int, _ mean: Float) {
        var track = tracks.base[index]
        // The histogram is as old as it remembers: of who moves it stands out where they were.
        let before = Self.unit(track.direction - 0.4 * track.velocity)
        track.prominence =
            max(smooth.base[grid.cell(track.direction)], smooth.base[grid.cell(before)]) / mean
        track.evidence += min(1, seconds / 2) * (min(track.prominence, 8) - track.evidence)
        track.unseen = track.prominence > Self.ends ? 0 : track.unseen + seconds
        track.isActive = track.unseen < 2.5 && track.evidence > 2.4
        tracks.base[index] = track
    }

    /// Of two tracks within 25° the one with less evidence ends.
    @_noLocks
    private func merge() {
        for i in 0..<Self.trackLimit where tracks.base[i].isActive {
            for k in 0..<i
            where tracks.base[k].isActive && (tracks.base[i].direction * tracks.base[k].direction).sum() > 0.906 {
                tracks.base[tracks.base[k].evidence < tracks.base[i].evidence ? k : i].isActive = false
            }
        }
    }

    /// Begins a track where the field stands out beside those known.
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
