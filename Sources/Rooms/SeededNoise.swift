import Glibc

/// Random numbers that are the same on every run and machine: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
struct SeededNoise: Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }

    /// Returns a value uniformly distributed over −1..<1.
    mutating func uniform() -> Double { Double(Int64(bitPattern: next()) >> 11) * 0x1p-52 }

    /// Returns two independent values, normally distributed with mean 0 and variance 1 (Marsaglia's polar method).
    mutating func pair() -> (Double, Double) {
        while true {
            let (a, b) = (uniform(), uniform())
            let square = a * a + b * b
            if square > 0 && square < 1 {
                let scale = (-2 * log(square) / square).squareRoot()
                return (a * scale, b * scale)
            }
        }
    }
}
