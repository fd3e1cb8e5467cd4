/// Second-order filter section for one channel, in double precision.
///
/// It has the transposed direct form II. Rounding errors stay below −280 dB relative to the signal, even at the lowest
/// corner frequencies. The output is bit-identical, however a stream is divided into calls.
package struct SecondOrderFilter: BitwiseCopyable, Sendable {
    /// Coefficients of the section.
    @usableFromInline let section: SecondOrderSection
    @usableFromInline var z1 = 0.0, z2 = 0.0

    /// Makes a section at rest.
    package init(_ section: SecondOrderSection) { self.section = section }

    /// Returns a band-pass at rest, in two sections: a high-pass at `low` and a low-pass at `high`, hertz. Each has a
    /// gain of −3 dB at its frequency.
    package static func band(from low: Double, to high: Double, sampleRate: SampleRate) -> [SecondOrderFilter] {
        let rate = sampleRate.hertz
        return [
            SecondOrderFilter(SecondOrderSection(highPass: low, quality: 0.7071, sampleRate: rate)),
            SecondOrderFilter(SecondOrderSection(lowPass: high, quality: 0.7071, sampleRate: rate)),
        ]
    }

    /// Returns the next output sample.
    @_noLocks
    @inlinable
    package mutating func callAsFunction(_ x: Double) -> Double {
        let y = section.b0 * x + z1
        z1 = section.b1 * x - section.a1 * y + z2
        z2 = section.b2 * x - section.a2 * y
        return y
    }
}

/// Second-order filters for two channels. Each channel has its own section.
package struct SecondOrderFilterPair: BitwiseCopyable, Sendable {
    @usableFromInline let b0: SIMD2<Double>, b1: SIMD2<Double>, b2: SIMD2<Double>, a1: SIMD2<Double>, a2: SIMD2<Double>
    @usableFromInline var z1 = SIMD2<Double>(0, 0), z2 = SIMD2<Double>(0, 0)

    /// Makes sections at rest.
    package init(_ first: SecondOrderSection, _ second: SecondOrderSection) {
        b0 = SIMD2(first.b0, second.b0)
        b1 = SIMD2(first.b1, second.b1)
        b2 = SIMD2(first.b2, second.b2)
        a1 = SIMD2(first.a1, second.a1)
        a2 = SIMD2(first.a2, second.a2)
    }

    /// Resets to silence.
    @_noLocks
    package mutating func reset() { (z1, z2) = (SIMD2(0, 0), SIMD2(0, 0)) }

    /// Returns the next output sample of both channels.
    @_noLocks
    @inlinable
    package mutating func callAsFunction(_ x: SIMD2<Double>) -> SIMD2<Double> {
        let y = b0 * x + z1
        z1 = b1 * x - a1 * y + z2
        z2 = b2 * x - a2 * y
        return y
    }

    /// Whether the state of both channels is finite and bounded: |z1 + z2| < 10³⁰.
    package var isSound: Bool {
        @_noLocks get {
            let sum = z1 + z2
            return abs(sum.x) < 1e30 && abs(sum.y) < 1e30
        }
    }
}

/// Second-order filters for four channels with the same section.
package struct SecondOrderFilterQuad: BitwiseCopyable, Sendable {
    @usableFromInline let section: SecondOrderSection
    @usableFromInline var z1 = SIMD4<Double>(), z2 = SIMD4<Double>()

    /// Makes a section at rest.
    package init(_ section: SecondOrderSection) { self.section = section }

    /// Resets to silence.
    @_noLocks
    package mutating func reset() { (z1, z2) = (SIMD4(), SIMD4()) }

    /// Returns the next output sample of all channels.
    @_noLocks
    @inlinable
    package mutating func callAsFunction(_ x: SIMD4<Double>) -> SIMD4<Double> {
        let y = section.b0 * x + z1
        z1 = section.b1 * x - section.a1 * y + z2
        z2 = section.b2 * x - section.a2 * y
        return y
    }
}
