import Convolution
import Geometry
import HRTF
import Signal

/// A source as the audio thread follows it.
struct FollowedSource: BitwiseCopyable {
    enum Kind { case tracked, fixed, direct }
    let kind: Kind
    let direction: SIMD3<Double>
    let gain: Float
    let leftGain: Float
    let rightGain: Float
    let programme: Int

    init(_ placement: SourcePlacement) {
        direction = placement.direction.unit
        gain = placement.gain
        programme = placement.programme
        switch placement.motion {
        case .tracked: (kind, leftGain, rightGain) = (.tracked, 1, 1)
        case .fixed: (kind, leftGain, rightGain) = (.fixed, 1, 1)
        case .direct(let left, let right): (kind, leftGain, rightGain) = (.direct, left, right)
        }
    }
}

/// One filter field at work: the filters of all sources, in the states that a slice fades between, and what filters with them.
///
/// Made off the audio thread, used by it alone, freed off it. The spectral field whose handle it holds must outlive it.
struct FilterBank: ~Copyable {
    private let field: SpectralFieldHandle
    private let sources: UnsafeMutablePointer<FollowedSource>
    private let count: Int
    private let filters: StageFilters
    private let convolver: BinauralConvolver
    /// `[source]`: the direction, seen from the head, that its newest filters are for, and which version those are.
    private let seen: UnsafeMutablePointer<SIMD3<Double>>
    private let version: UnsafeMutablePointer<Int>
    /// The sources that move, and the cells of the grid they move to: scratch of `follow`.
    private let moving: UnsafeMutablePointer<(source: Int, cell: GridCell)>
    /// `[state][source]`: the filters of the states a slice may need at once, and the one being made.
    private let lists: UnsafeMutablePointer<UnsafePointer<Float>?>
    private let listCount: Int
    /// Frames that a frontal source takes through the filters, which what goes past them waits for.
    let directDelay: Int
    private var current = 0

    /// Filters for the given placements; those that do not move with the head are ready, the others face the front.
    /// `fades`: how many a slice has.
    init(slice: Int, placements: [SourcePlacement], field spectral: SpectralField, fades: Int) {
        field = spectral.handle
        count = placements.count
        sources = .allocate(capacity: max(1, count))
        seen = .allocate(capacity: max(1, count))
        version = .allocate(capacity: max(1, count))
        moving = .allocate(capacity: max(1, count))
        convolver = BinauralConvolver(
            sourceCount: count, slice: slice, tapCount: FilterBank.tapCount(of: spectral.field))
        filters = StageFilters(sourceCount: count, bins: convolver.bins, versionCount: fades + 1)
        listCount = fades + 1
        directDelay = max(0, Int(spectral.field.onsetFrames.rounded()))
        lists = .allocate(capacity: listCount * max(1, count))
        lists.initialize(repeating: nil, count: listCount * max(1, count))
        for (index, placement) in placements.enumerated() {
            let source = FollowedSource(placement)
            (sources + index).initialize(to: source)
            (seen + index).initialize(to: source.direction)
            (version + index).initialize(to: 0)
            let filter = filters.filter(ofSource: index, version: 0)
            lists[index] = UnsafePointer(filter)
            switch source.kind {
            case .direct:
                spectral.pass(
                    delay: directDelay, left: source.gain * source.leftGain,
                    right: source.gain * source.rightGain, to: filter, stride: filters.stride)
            case .fixed, .tracked:
                let at = source.direction
                field.evaluate(x: at.x, y: at.y, z: at.z, gain: source.gain, to: filter, stride: filters.stride)
            }
        }
    }

    deinit {
        sources.deallocate()
        seen.deallocate()
        version.deallocate()
        moving.deallocate()
        lists.deallocate()
    }

    /// Taps that a field's filters need: its own, and room for a direct feed's delay.
    static func tapCount(of field: FilterField) -> Int {
        max(1, field.tapCount, Int(field.onsetFrames.rounded()) + 1)
    }

    /// The length of a field's spectra on a grid of `slice` frames.
    static func transformLength(of field: FilterField, slice: Int) -> Int {
        BinauralConvolver.transformLength(slice: slice, tapCount: tapCount(of: field))
    }

    /// The newest state.
    @_noLocks
    func state() -> FilterList { UnsafePointer(lists + current * count) }

    /// Moves on to the state for a head pose; false (and the newest state stays) where no source moved against the head.
    ///
    /// `turns`: for each programme, the rotation from its stage to the head.
    /// A source counts as moved beyond 1e-7 rad, which no filter shows, or when `all` are asked for.
    /// Cost: one evaluation of the field per moved source; nothing for the others.
    @_noLocks
    mutating func follow(_ turns: UnsafePointer<Quaternion>, all: Bool) -> Bool {
        let next = current + 1 == listCount ? 0 : current + 1
        let (old, new) = (lists + current * count, lists + next * count)
        var moved = 0
        for index in 0..<count {
            new[index] = old[index]
            guard sources[index].kind == .tracked else { continue }
            let direction = turns[sources[index].programme].rotate(sources[index].direction)
            let step = direction - seen[index]
            guard all || (step * step).sum() > 1e-14 else { continue }
            seen[index] = direction
            moving[moved] = (index, field.cell(x: direction.x, y: direction.y, z: direction.z))
            moved += 1
        }
        for place in 0..<moved {
            let (index, cell) = moving[place]
            let direction = seen[index]
            version[index] = version[index] + 1 == listCount ? 0 : version[index] + 1
            let filter = filters.filter(ofSource: index, version: version[index])
            field.evaluate(
                x: direction.x, y: direction.y, z: direction.z, cell: cell, gain: sources[index].gain, to: filter,
                stride: filters.stride)
            new[index] = UnsafePointer(filter)
        }
        if moved > 0 { current = next }
        return moved > 0
    }

    /// Transforms the newest samples of all sources; once for all states of a slice.
    @_noLocks
    func analyse(_ history: borrowing SourceHistory) { convolver.analyse(history) }

    /// Renders `count` of this bank's states into `ears` from state `first` on.
    @_noLocks
    func render(_ states: UnsafePointer<FilterList>, count: Int, into ears: borrowing StageEars, first: Int) {
        convolver.render(states, count: count, stride: filters.stride, into: ears, first: first)
    }
}
