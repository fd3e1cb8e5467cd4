import CRealtime
import Convolution
import Geometry
import Signal

/// A fold-down on the audio thread: gains between virtual loudspeakers, and where these stand meanwhile.
///
/// A change fades from one set of gains to the other within 20 ms, and loudspeakers walk to their new places, none
/// faster than `StageTurns.fastestPlacing`. Used by the audio thread alone.
struct FoldStage: ~Copyable {
    private let count: Int
    /// `[source]`: where it stands without a fold-down, and where it stands now.
    private let own: UnsafeMutablePointer<SIMD3<Double>>
    let places: UnsafeMutablePointer<SIMD3<Double>>
    /// What the gains were, and what they are or become; nil: every source plays its own.
    private var former: UnsafePointer<FoldPlan>?
    private var plan: UnsafePointer<FoldPlan>?
    private var address: UInt = 0
    /// The share of the new gains.
    private var share: SmoothGain
    private let rows: PlanarBlock
    private let weights: UnsafeMutablePointer<Float>
    private let sampleRate: Double
    private var isWalking = false
    /// How the longest way is gone; all others are gone as fast.
    private var way = EasedWay()

    /// None, of sources at these places; `voices` stand behind them at the front, until they are placed.
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

    /// Asks for a plan by its address, or 0 for none; at the beginning of a slice. `atOnce` where a stream begins. What
    /// is asked for while gains move is heard of when they rest.
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

    /// Where a source is bound for.
    @_noLocks
    private func place(_ source: Int) -> SIMD3<Double> {
        if let plan { plan.pointee.places[source] } else { own[source] }
    }

    /// Moves all places on by a fade of so many frames.
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
            // Opposite places: over the left.
            let ahead = sine < 1e-12 ? SourceSpread.left(of: at) : across / sine
            places[source] = at * prc_cos(step) + ahead * prc_sin(step)
        }
    }

    /// Radians between two directions.
    @_noLocks
    private static func angle(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        let cosine = (a * b).sum(), across = b - a * cosine
        return prc_atan2(prc_sqrt((across * across).sum()), cosine)
    }

    /// Folds the slice's newest `count` frames, from `position` on. Cost: nothing without a fold-down; else a
    /// multiply-add per frame and gain, two while it changes.
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

    /// Whether a source belongs to what is folded, before or after a change.
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

    /// Adds what sources play by one plan, times `weights`; sources that it leaves alone play their own.
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
