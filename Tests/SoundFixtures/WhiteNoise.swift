/// White noise that is the same on every run.
package enum WhiteNoise {
    /// Returns `count` samples within ±0.1; other seeds give other samples.
    package static func samples(_ count: Int, seed: UInt64) -> [Float] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Float(state >> 40) / Float(1 << 24) - 0.5) * 0.2
        }
    }
}
