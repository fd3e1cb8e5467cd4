import CRealtime
import Convolution
import Geometry
import Signal

/// Fold-down on the audio thread: gains between virtual loudspeakers, and the loudspeakers' current directions.
///
/// A change of the plan crossfades from one set of gains to the other within 20 ms. Loudspeakers move to their new
/// directions, none faster than `StageTurns.fastestPlacing`. Only the audio thread uses the stage.
struct FoldStage: ~Copyable {
    private let count: Int
    /// `[source]`: direction without a fold-down, a unit vector.
    private let own: UnsafeMutablePointer<SIMD3<Double>>
    /// `[source]`: current direction, a unit vector. The voices are numbered after the sources.
    let places: UnsafeMutablePointer<SIMD3<Double>>
    /// Former plan. With a nil plan every source plays its own feed.
    private var former: UnsafePointer<FoldPlan>?
    /// Current plan; nil without a fold-down.
    private var plan: UnsafePointer<FoldPlan>?
    private var address: UInt = 0
    /// Share of the current plan's gains, 0…1. The share of the former plan's gains is 1 minus this value.
    private var share: SmoothGain
    private let rows: PlanarBlock
    private let weights: UnsafeMutablePointer<Float>
    private let sampleRate: Double
    /// Whether any source is moving.
    private var isWalking = false
    /// Speed of all moves. It depends on the largest remaining angle.
    private var way = EasedWay()

    /// Makes a stage without a fold-down, for sources at the given directions. The directions of the `voices` voices,
    /// which are numbered after the sources, are in front until they are set.
    init(_ sources: [SourcePlacement], beside voices: Int, slice: Int, sampleRate: Double) {
        count = sources.count
        own = .allocate(capacity: max(1, count))
        places = .allocate(capacity: max(1, count + voices))
        (places + count).initialize(repeating: SIMD3(1, 0, 0), count: voices)
        for (index, source) in sources.enumerated() {
            (own + index).initialize(to: source.direction.unit)
            (places + index).initialize(to: source.direction.unit)
        }
        share = SmoothGain(1, sampleRate: sampleRate)
        rows = PlanarBlock(channels: count, frames: slice)
        weights = .allocate(capacity: slice)
        weights.initialize(repeating: 0, count: slice)
        self.sampleRate = sampleRate
    }

    deinit {
        own.deallocate()
        places.deallocate()
        weights.deallocate()
    }

    /// Sets the plan by its address, or removes it with address 0. Call at the beginning of every slice, because a call
    /// during a crossfade has no effect. With `atOnce` (a stream begins) nothing is faded.
    @_noLocks
    mutating func aim(_ wanted: UInt, atOnce: Bool) {
        if atOnce {
            address = wanted
            plan = UnsafePointer(bitPattern: wanted)
            former = plan
            share.jump(to: 1)
            for source in 0..<count { places[source] = place(source) }
            isWalking = false
            return
        }
        guard share.rests, wanted != address else { return }
        address = wanted
        former = plan
        plan = UnsafePointer(bitPattern: wanted)
        share.jump(to: 0)
        share.aim(at: 1)
        isWalking = true
    }

    /// Returns the direction to which a source moves.
    @_noLocks
    private func place(_ source: Int) -> SIMD3<Double> {
        if let plan { plan.pointee.places[source] } else { own[source] }
    }

    /// Moves the sources' directions by the step of one fade, which lasts `frames` frames.
    @_noLocks
    mutating func walk(frames: Int) {
        guard isWalking else { return }
        isWalking = false
        var longest = 0.0
        for source in 0..<count { longest = max(longest, Self.angle(places[source], place(source))) }
        let step = way.step(
            of: longest, fastest: StageTurns.fastestPlacing, frames: frames, sampleRate: sampleRate)
        for source in 0..<count {
            let (at, to) = (places[source], place(source))
            let cosine = (at * to).sum()
            let across = to - at * cosine
            let sine = prc_sqrt((across * across).sum())
            if sine < 1e-12 && cosine > 0 || prc_atan2(sine, cosine) <= step {
                places[source] = to
                continue
            }
            isWalking = true
            // If both directions are opposite, the source moves through its left side.
            let ahead = sine < 1e-12 ? SourceSpread.left(of: at) : across / sine
            places[source] = at * prc_cos(step) + ahead * prc_sin(step)
        }
    }

    /// Returns the angle between two directions, radians.
    @_noLocks
    private static func angle(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        let cosine = (a * b).sum(), across = b - a * cosine
        return prc_atan2(prc_sqrt((across * across).sum()), cosine)
    }

    /// Folds down the slice's newest `count` frames, from frame `position` on. Cost: none without a fold-down;
    /// otherwise one multiply-add per frame and gain, two during a crossfade.
    @_noLocks
    mutating func apply(to history: borrowing SourceHistory, at position: Int, count frames: Int) {
        if share.rests, case .none = plan { return }
        for source in 0..<count where isFolded(source) { Samples.clear(rows[source], count: frames) }
        if share.rests {
            add(plan, from: history, at: position, count: frames)
        } else {
            for i in 0..<frames { weights[i] = 1 - share.value(ahead: i) }
            addWeighted(former, from: history, at: position, count: frames)
            for i in 0..<frames { weights[i] = share.value(ahead: i) }
            addWeighted(plan, from: history, at: position, count: frames)
            share.advance(frames)
        }
        for source in 0..<count where isFolded(source) {
            Samples.copy(rows[source], to: history.samples(ofSource: source) + position, count: frames)
        }
        if share.rests { former = plan }
    }

    /// Returns whether the former or the current plan folds a source.
    @_noLocks
    private func isFolded(_ source: Int) -> Bool { isFolded(source, by: former) || isFolded(source, by: plan) }

    @_noLocks
    private func isFolded(_ source: Int, by plan: UnsafePointer<FoldPlan>?) -> Bool {
        if let plan { plan.pointee.isFolded[source] } else { false }
    }

    @_noLocks
    private func add(
        _ plan: UnsafePointer<FoldPlan>?, from history: borrowing SourceHistory, at position: Int, count frames: Int
    ) {
        guard let plan else { return }
        for index in 0..<plan.pointee.tapCount {
            let tap = plan.pointee.taps[index]
            Samples.add(
                history.samples(ofSource: tap.from) + position, gain: tap.gain, to: rows[tap.to], count: frames)
        }
    }

    /// Adds the sources' feeds with the gains of one plan, times `weights`. A source that the plan does not fold plays
    /// its own feed.
    @_noLocks
    private func addWeighted(
        _ plan: UnsafePointer<FoldPlan>?, from history: borrowing SourceHistory, at position: Int, count frames: Int
    ) {
        for source in 0..<count where isFolded(source) && !isFolded(source, by: plan) {
            let row = history.samples(ofSource: source) + position
            for i in 0..<frames { rows[source][i] += weights[i] * row[i] }
        }
        guard let plan else { return }
        for index in 0..<plan.pointee.tapCount {
            let tap = plan.pointee.taps[index]
            let row = history.samples(ofSource: tap.from) + position
            let target = rows[tap.to]
            for i in 0..<frames { target[i] += weights[i] * tap.gain * row[i] }
        }
    }
}
