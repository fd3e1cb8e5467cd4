import CRealtime
import Convolution
import Geometry
import Signal

/// Fold-down on the audio thread: gains between virtual loudspeakers, and the current places of these.
///
/// A change crossfades from one set of gains to the other within 20 ms. Loudspeakers move to their new places, none
/// faster than `StageTurns.fastestPlacing`. Used by the audio thread alone.
struct FoldStage: ~Copyable {
    private let count: Int
    /// `[source]`: place without a fold-down, and current place.
    private let own: UnsafeMutablePointer<SIMD3<Double>>
    let places: UnsafeMutablePointer<SIMD3<Double>>
    /// Former and current plan; nil: every source plays its own feed.
    private var former: UnsafePointer<FoldPlan>?
    private var plan: UnsafePointer<FoldPlan>?
    private var address: UInt = 0
    /// Share of the current plan's gains, 0…1.
    private var share: SmoothGain
    private let rows: PlanarBlock
    private let weights: UnsafeMutablePointer<Float>
    private let sampleRate: Double
    private var isWalking = false
    /// Speed on the longest way; all other moves have the same speed.
    private var way = EasedWay()

    /// Makes a stage without a fold-down, for sources at these places. The `voices` that follow are in front until they
    /// are placed.
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

    /// Sets a plan by its address, or 0 for none; at the beginning of a slice. `atOnce` where a stream begins. A plan
    /// set while gains move takes effect when they rest.
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

    /// Returns a source's target place.
    @_noLocks
    private func place(_ source: Int) -> SIMD3<Double> {
        if let plan { plan.pointee.places[source] } else { own[source] }
    }

    /// Moves all places on by a fade of `frames` frames.
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
            // Between opposite places the way leads over the left.
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

    /// Folds down the slice's newest `count` frames, from `position` on. Cost: none without a fold-down; otherwise a
    /// multiply-add per frame and gain, two during a change.
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

    /// Returns whether a source is folded, before or after a change.
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

    /// Adds the sources' feeds by one plan, times `weights`; a source outside the plan plays its own feed.
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
