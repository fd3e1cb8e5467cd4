/// The state of four channels' filters: transposed direct form II, in double precision, since at 192 kHz the
/// high-pass's poles lie within 10⁻³ of 1.
struct KWeightingLanes: BitwiseCopyable {
    private var shelf1 = SIMD4<Double>(), shelf2 = SIMD4<Double>(), high1 = SIMD4<Double>(), high2 = SIMD4<Double>()

    /// The next frame of the four channels through both sections.
    @_noLocks
    @inline(__always)
    mutating func next(
        _ x: SIMD4<Double>, _ s: KWeighting.Section, _ h: KWeighting.Section
    ) -> SIMD4<Double> {
        let y = s.b0 * x + shelf1
        shelf1 = s.b1 * x - s.a1 * y + shelf2
        shelf2 = s.b2 * x - s.a2 * y
        let z = h.b0 * y + high1
        high1 = h.b1 * y - h.a1 * z + high2
        high2 = h.b2 * y - h.a2 * z
        return z
    }

    /// At rest.
    @_noLocks
    init() {}
}
