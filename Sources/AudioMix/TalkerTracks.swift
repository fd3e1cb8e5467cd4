import CRealtime
import Signal

/// Talkers' directions followed over time from the votes of a field's bins: how many, where, how sure.
///
/// Votes gather in a histogram over directions that forgets within 0.4 s. A direction that stands out of its mean by a
/// factor of 4.5 for 150 ms, far from those known, begins a track; each track follows the weighted mean of the votes
/// within 50° of it with an α-β filter, and ends when it has not stood out for 2.5 s. Times are the caller's: one call is one frame.
struct TalkerTracks: ~Copyable {
    /// The most talkers followed at once.
    static var limit: Int { @_noLocks get { 2 } }

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
    }

    let tracks: Row<Track>
    private let grid = DirectionGrid()
    private let histogram: Row<Float>, smooth: Row<Float>
    private let seconds: Float, forget: Float
    private var meanWeight: Float = 0, heard = 0, numbers = 0
    private var candidate = SIMD3<Float>.zero, candidateFrames = 0

    private static var begins: Float { @_noLocks get { 4.5 } }
    private static var ends: Float { @_noLocks get { 2.2 } }
    /// Of the strongest track's prominence, what another needs.
    private static var besides: Float { @_noLocks get { 0.35 } }
    private static var nearCosine: Float { @_noLocks get { 0.642_787_6 } }

    /// No talkers yet.
    init(_ tuning: AudioMixTuning) {
        tracks = Row(Self.limit, Track())
        histogram = Row(grid.count, 0)
        smooth = Row(grid.count, 0)
        seconds = tuning.fieldSeconds
        forget = Float(prc_exp(-Double(seconds) / 0.4))
    }

    /// Forgets everything.
    @_noLocks
    mutating func reset() {
        tracks.fill(Track())
        histogram.fill(0)
        (meanWeight, heard, numbers, candidate, candidateFrames) = (0, 0, 0, .zero, 0)
    }

    /// One frame of votes. Cost: about 0.1 ms.
    @_noLocks
    mutating func follow(_ votes: borrowing Row<SIMD4<Float>>) {
        var total: Float = 0
        for i in 0..<grid.count { histogram[i] *= forget }
        for bin in 0..<votes.count where votes[bin].w > 0 {
            let vote = votes[bin]
            histogram[grid.cell(SIMD3(vote.x, vote.y, vote.z))] += (1 - forget) * vote.w
            total += vote.w
        }
        heard += 1
        meanWeight += (total - meanWeight) / Float(min(heard, 100))
        grid.spread(histogram, into: smooth)
        var mean: Float = 1e-12
        for i in 0..<grid.count { mean += smooth[i] }
        mean /= Float(grid.count)
        var strongest: Float = 0
        for i in 0..<Self.limit where tracks[i].isActive {
            move(i, votes)
            judge(i, mean)
            strongest = max(strongest, tracks[i].isActive ? tracks[i].prominence : 0)
        }
        merge()
        begin(mean, strongest)
    }

    /// Predicts and corrects one track.
    @_noLocks
    private func move(_ index: Int, _ votes: borrowing Row<SIMD4<Float>>) {
        var track = tracks[index]
        track.direction = Self.unit(track.direction + track.velocity * seconds)
        var sum = SIMD3<Float>.zero, weight: Float = 0
        for bin in 0..<votes.count {
            let vote = SIMD3(votes[bin].x, votes[bin].y, votes[bin].z)
            let near = ((vote * track.direction).sum() - Self.nearCosine) / (1 - Self.nearCosine)
            guard near > 0 else { continue }
            sum += vote * (votes[bin].w * near)
            weight += votes[bin].w * near
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
        tracks[index] = track
    }

    /// How far a track stands out, and whether it goes on.
    @_noLocks
    private func judge(_ index: Int, _ mean: Float) {
        var track = tracks[index]
        track.prominence = smooth[grid.cell(track.direction)] / mean
        track.evidence += min(1, seconds / 2) * (min(track.prominence, 8) - track.evidence)
        track.unseen = track.prominence > Self.ends ? 0 : track.unseen + seconds
        track.isActive = track.unseen < 2.5 && track.evidence > 2
        tracks[index] = track
    }

    /// Of two tracks within 25° the one with less evidence ends.
    @_noLocks
    private func merge() {
        guard tracks[0].isActive, tracks[1].isActive,
            (tracks[0].direction * tracks[1].direction).sum() > 0.906
        else { return }
        tracks[tracks[0].evidence < tracks[1].evidence ? 0 : 1].isActive = false
    }

    /// Begins a track where the field stands out beside those known.
    @_noLocks
    private mutating func begin(_ mean: Float, _ strongest: Float) {
        var free: Int?
        for i in 0..<Self.limit where !tracks[i].isActive && free == nil { free = i }
        guard let place = free else { return }
        let others = tracks[0].isActive || tracks[1].isActive
        var best: Float = 0, at = 0
        for i in 0..<grid.count where smooth[i] > best {
            var isKnown = false
            for k in 0..<Self.limit where tracks[k].isActive {
                isKnown = isKnown || (grid.centres[i] * tracks[k].direction).sum() > 0.766
            }
            if !isKnown { (best, at) = (smooth[i], i) }
        }
        guard best > Self.begins * mean, best > Self.besides * strongest * mean else {
            candidateFrames = max(0, candidateFrames - 1)
            return
        }
        let direction = grid.centres[at]
        candidateFrames = (direction * candidate).sum() > 0.906 ? candidateFrames + 1 : 1
        candidate = direction
        guard Float(candidateFrames) * seconds >= (others ? 0.45 : 0.15) else { return }
        candidateFrames = 0
        numbers += 1
        tracks[place] = Track(
            isActive: true, number: numbers, direction: direction, prominence: best / mean, evidence: 3)
    }

    @_noLocks
    private static func unit(_ v: SIMD3<Float>) -> SIMD3<Float> { v / max(prc_sqrtf((v * v).sum()), 1e-12) }
}
