/// Powers aa and bb of two signals a and b of four channels each, and their product ab, for loudness. Each channel is
/// filtered by `KWeighting`. All channels have equal weights. The power of a sum a + g·b is aa + 2g·ab + g²·bb.
///
/// Apart from rounding, the numbers do not depend on how a stream is divided into calls. Accessed by pointer on the
/// audio thread.
package struct KWeightedProducts: ~Copyable {
    private var first: KWeightingLanes, second: KWeightingLanes

    /// Creates filters at rest, for a rate in hertz.
    package init(sampleRate: Double) {
        let filter = KWeighting(sampleRate: sampleRate)
        (first, second) = (KWeightingLanes(filter), KWeightingLanes(filter))
    }

    /// Clears all state.
    @_noLocks
    package mutating func reset() {
        first.reset()
        second.reset()
    }

    /// Processes `count` frames of both signals, four rows each. Returns the sums of a², a·b and b² over frames and
    /// channels. Cost: about 10 ns per frame.
    @_noLocks
    package mutating func hear(
        _ a: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>),
        _ b: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>), count: Int
    ) -> SIMD3<Double> {
        var (one, two) = (first, second)
        var (aa, ab, bb) = (SIMD4<Double>(), SIMD4<Double>(), SIMD4<Double>())
        for i in 0..<count {
            let x = one.next(SIMD4(Double(a.0[i]), Double(a.1[i]), Double(a.2[i]), Double(a.3[i])))
            let y = two.next(SIMD4(Double(b.0[i]), Double(b.1[i]), Double(b.2[i]), Double(b.3[i])))
            aa += x * x
            ab += x * y
            bb += y * y
        }
        (first, second) = (one, two)
        return SIMD3(aa.sum(), ab.sum(), bb.sum())
    }
}
