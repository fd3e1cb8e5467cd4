/// Random draws of a listening test: the same seed gives the same test on every machine.
///
/// SplitMix64: G. L. Steele, D. Lea and C. H. Flood, Fast splittable pseudorandom number generators (OOPSLA 2014).
package struct SeededDraw: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Makes the draws of a seed. Each `stream`, such as the number of a round, has its own draws, so that a resumed
    /// test repeats the draws of an uninterrupted one.
    package init(seed: UInt64, stream: UInt64 = 0) {
        state = Self.mixed(seed) &+ Self.mixed(stream &+ 0x5851_f42d_4c95_7f2d)
    }

    /// Returns the next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    private static func mixed(_ bits: UInt64) -> UInt64 {
        var z = bits
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
