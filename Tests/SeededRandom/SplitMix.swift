/// SplitMix64 (Steele, Lea & Flood 2014): the same numbers on every run.
package struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; other seeds give other numbers.
    package init(state: UInt64) { self.state = state }

    /// Returns the next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    /// Returns a number in 0..<1.
    package mutating func unit() -> Double { Double.random(in: 0..<1, using: &self) }
}
