import Signal

/// K weighting of four channels. It uses double precision, because at 192 kHz the poles of the high-pass are only
/// 0.0013 from 1.
struct KWeightingLanes: BitwiseCopyable {
    private var shelf: SecondOrderFilterQuad, highPass: SecondOrderFilterQuad

    /// Creates filters at rest.
    init(_ filter: KWeighting) {
        (shelf, highPass) = (SecondOrderFilterQuad(filter.shelf), SecondOrderFilterQuad(filter.highPass))
    }

    /// Filters the next frame of the four channels by both sections.
    @_noLocks
    @inline(__always)
    mutating func next(_ x: SIMD4<Double>) -> SIMD4<Double> { highPass(shelf(x)) }

    /// Clears all state.
    @_noLocks
    mutating func reset() {
        shelf.reset()
        highPass.reset()
    }
}
