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

    init(_ placement: SourcePlacement) {
        direction = placement.direction.unit
        gain = placement.gain
        switch placement.motion {
        case .tracked: (kind, leftGain, rightGain) = (.tracked, 1, 1)
        case .fixed: (kind, leftGain, rightGain) = (.fixed, 1, 1)
        case .direct(let left, let right): (kind, leftGain, rightGain) = (.direct, left, right)
        }
    }
}

/// One filter field at work: the filters of all sources, in the states that a slice fades between.
///
/// Made off the audio thread, used by it alone, freed off it. The field whose handle it holds must outlive it.
struct FilterBank: ~Copyable {
    private let field: FieldHandle
    private let sources: UnsafeMutablePointer<FollowedSource>
    private let count: Int
    private var filters: StageFilters
    /// `[source]`: the direction, seen from the head, that its taps are for.
    private let seen: UnsafeMutablePointer<SIMD3<Double>>
    private let scratch: UnsafeMutablePointer<Float>
    private let left: UnsafeMutablePointer<Float>
    private let right: UnsafeMutablePointer<Float>
    private var current = 0

    /// Filters for the given placements; those that do not move with the head are ready, the others face the front.
    init(shape: LaneShape, placements: [SourcePlacement], field: FilterField, stateCount: Int) {
        self.field = field.handle
        count = placements.count
        sources = .allocate(capacity: max(1, count))
        seen = .allocate(capacity: max(1, count))
        let onset = max(0, Int(field.onsetFrames.rounded()))
        let taps = FilterBank.tapCount(of: field)
        filters = StageFilters(shape: shape, tapCount: taps, stateCount: stateCount)
        scratch = AlignedMemory.allocate(Float.self, count: field.handle.scratchCount)
        scratch.initialize(repeating: 0, count: field.handle.scratchCount)
        left = AlignedMemory.allocate(Float.self, count: taps)
        right = AlignedMemory.allocate(Float.self, count: taps)
        for (index, placement) in placements.enumerated() {
            let source = FollowedSource(placement)
            (sources + index).initialize(to: source)
            (seen + index).initialize(to: source.direction)
            left.initialize(repeating: 0, count: taps)
            right.initialize(repeating: 0, count: taps)
            switch source.kind {
            case .direct:
                left[onset] = source.leftGain
                right[onset] = source.rightGain
                filters.setTaps(source: index, gain: source.gain, left: left, right: right, count: taps)
            case .fixed, .tracked:
                place(index, source.direction)
            }
        }
        filters.refresh(state: 0, with: LaneFourier(length: 2 * shape.slice, lanes: shape.lanes))
    }

    deinit {
        sources.deallocate()
        seen.deallocate()
        scratch.deallocate()
        left.deallocate()
        right.deallocate()
    }

    /// Taps that a field's filters need: its own, and room for a direct feed's delay.
    static func tapCount(of field: FilterField) -> Int {
        max(1, field.tapCount, Int(field.onsetFrames.rounded()) + 1)
    }

    /// The newest state.
    @_noLocks
    func state() -> FilterState { FilterState(filters, state: current) }

    /// Moves on to the state for a head pose; false (and the newest state stays) where no source moved against the head.
    ///
    /// A source counts as moved beyond 1e-7 rad, which no filter shows, or when `all` are asked for.
    /// Cost: per moved source one evaluation of the field; per group with a moved source its transforms.
    @_noLocks
    mutating func follow(headToStage: Quaternion, all: Bool, with fourier: borrowing LaneFourier) -> Bool {
        let stageToHead = headToStage.conjugate
        var moved = false
        for index in 0..<count where sources[index].kind == .tracked {
            let direction = stageToHead.rotate(sources[index].direction)
            let step = direction - seen[index]
            guard all || (step * step).sum() > 1e-14 else { continue }
            place(index, direction)
            moved = true
        }
        guard moved else { return false }
        current = current + 1 == filters.stateCount ? 0 : current + 1
        filters.refresh(state: current, with: fourier)
        return true
    }

    /// Gives a source the taps for a direction seen from the head.
    @_noLocks
    private func place(_ index: Int, _ direction: SIMD3<Double>) {
        seen[index] = direction
        field.evaluate(x: direction.x, y: direction.y, z: direction.z, scratch: scratch, left: left, right: right)
        filters.setTaps(source: index, gain: sources[index].gain, left: left, right: right, count: field.tapCount)
    }
}
