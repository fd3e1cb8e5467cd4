import Geometry
import Signal
import Soundstage

/// Fold-down of programmes to a narrower layout on the stage: the gains from each programme's loudspeakers to those
/// that remain in use, and the directions of the remaining loudspeakers.
///
/// Each loudspeaker of the narrower layout is played by one of the programme's own loudspeakers, preferably the one
/// with the same name. The programme's other loudspeakers are silent. The gains are those of `Layout.conversion(to:)`,
/// which `process --to` uses for files. The plan is not made on the audio thread, and is kept for the stage's life.
struct FoldPlan: ~Copyable {
    /// Gain from one source to another. Sources are numbered consecutively through all programmes.
    struct Tap: BitwiseCopyable {
        let from: Int
        let to: Int
        let gain: Float
    }
    let taps: UnsafeMutablePointer<Tap>
    let tapCount: Int
    /// `[source]`: whether its programme is folded.
    let isFolded: UnsafeMutablePointer<Bool>
    /// `[source]`: the source's direction on its programme's stage.
    let places: UnsafeMutablePointer<SIMD3<Double>>

    /// Copies a draft into memory for the audio thread.
    init(_ draft: FoldDraft) {
        tapCount = draft.taps.count
        taps = .allocate(capacity: max(1, tapCount))
        taps.initialize(from: draft.taps, count: tapCount)
        isFolded = .allocate(capacity: max(1, draft.isFolded.count))
        isFolded.initialize(from: draft.isFolded, count: draft.isFolded.count)
        places = .allocate(capacity: max(1, draft.places.count))
        places.initialize(from: draft.places, count: draft.places.count)
    }

    deinit {
        taps.deallocate()
        isFolded.deallocate()
        places.deallocate()
    }
}

/// Fold-down before it is copied into memory for the audio thread.
struct FoldDraft {
    private(set) var taps: [FoldPlan.Tap] = []
    private(set) var isFolded: [Bool]
    private(set) var places: [SIMD3<Double>]
    /// Indices of the programmes that are folded.
    private(set) var folded: [Int] = []
    /// Indices of the programmes that have more channels than the target layout, but too few loudspeakers to play it.
    /// Only tracked loudspeakers without a width of their own can stand for others.
    private(set) var skipped: [Int] = []
    /// Indices of the sources whose direction the fold-down changes.
    private(set) var moved: [Int] = []

    /// Folds down those programmes of a stage that have more channels than `target` and enough loudspeakers to play it.
    ///
    /// - Throws: The error of `Layout.conversion(to:)`.
    init(_ configuration: StageConfiguration, to target: Layout) throws(SoundstageError) {
        places = configuration.sources.map(\.direction.unit)
        isFolded = places.map { _ in false }
        var first = 0
        for (index, stage) in configuration.programmes.enumerated() {
            let layout = stage.programme.layout
            if layout.loudspeakers.count > target.channelCount {
                if let rows = Self.rows(of: layout, for: target) {
                    folded.append(index)
                    try fold(layout, to: target, rows: rows, first: first)
                } else {
                    skipped.append(index)
                }
            }
            first += layout.loudspeakers.count
        }
    }

    private mutating func fold(
        _ layout: Layout, to target: Layout, rows: [Int?], first: Int
    ) throws(SoundstageError) {
        let matrix = try layout.conversion(to: target)
        for source in 0..<layout.channelCount { isFolded[first + source] = true }
        for (output, row) in rows.enumerated() {
            guard let row else { continue }
            // The filters of this row already contain its loudspeaker's own gain.
            let own = layout.loudspeakers[row].gain.amplitude
            let level = target.loudspeakers[output].gain.amplitude / (own > 0 ? own : 1)
            for (input, gain) in matrix.gains[output].enumerated() where gain != 0 {
                taps.append(FoldPlan.Tap(from: first + input, to: first + row, gain: Float(gain * level)))
            }
            guard !target.loudspeakers[output].isLowFrequency else { continue }
            let place = target.loudspeakers[output].direction.unit
            let step = place - places[first + row]
            if (step * step).sum() > 1e-14 {
                moved.append(first + row)
                places[first + row] = place
            }
        }
    }

    /// Returns for each loudspeaker of `target` the index of the loudspeaker of `layout` that plays it. This is the one
    /// with the same name, or else the nearest free one. Only LFEs, and tracked loudspeakers without a width of their
    /// own, can play. The entry of an LFE without a counterpart is nil. Returns nil if any other loudspeaker has no
    /// counterpart.
    private static func rows(of layout: Layout, for target: Layout) -> [Int?]? {
        var rows = [Int?](repeating: nil, count: target.channelCount)
        var free = Set(
            layout.loudspeakers.indices.filter {
                let loudspeaker = layout.loudspeakers[$0]
                return loudspeaker.isLowFrequency || loudspeaker.motion == .tracked && loudspeaker.widthDegrees == 0
            })
        for (output, wanted) in target.loudspeakers.enumerated() {
            let found = free.first {
                layout.loudspeakers[$0].symbol == wanted.symbol
                    && layout.loudspeakers[$0].isLowFrequency == wanted.isLowFrequency
            }
            rows[output] = found
            found.map { _ = free.remove($0) }
        }
        for (output, wanted) in target.loudspeakers.enumerated() where rows[output] == nil {
            func nearness(_ row: Int) -> Double {
                (layout.loudspeakers[row].direction.unit * wanted.direction.unit).sum()
            }
            let able = free.filter { layout.loudspeakers[$0].isLowFrequency == wanted.isLowFrequency }
            guard let row = able.max(by: { (nearness($0), $1) < (nearness($1), $0) }) else {
                if wanted.isLowFrequency { continue }
                return nil
            }
            rows[output] = row
            free.remove(row)
        }
        return rows
    }
}
