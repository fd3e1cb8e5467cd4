import Geometry
import Glibc
import Signal

/// Responses of the capsules of an array to plane waves, in every bin of a transform.
///
/// The response of the capsule at position p to a wave from direction u is (a₀ + a·u)·e^{i·k·p·u}. k = 2πf/c is the
/// wave number, and c the speed of sound. The four numbers a₀ and a of the capsule's first-order pattern are complex,
/// and vary with frequency if they were measured. The time convention is e^{iωt}. Phases are relative to the array's
/// centre.
package struct ArrayResponses: Sendable {
    /// Speed of sound in air at 20 °C, m/s.
    package static let speedOfSound = 343.2

    /// Length of the transform, samples. The bins are 0…length/2.
    package let length: Int
    /// Sample rate.
    package let sampleRate: SampleRate
    /// Positions, m, `[capsule]`.
    package let positions: [SIMD3<Double>]
    /// Coefficients of 1, x, y and z, `[bin][capsule]`: real parts here, imaginary parts in `imaginary`.
    var real: [SIMD4<Double>]
    var imaginary: [SIMD4<Double>]

    /// Number of capsules.
    package var capsuleCount: Int { positions.count }
    /// Number of bins.
    package var binCount: Int { length / 2 + 1 }

    /// Creates nominal responses, in which each capsule has the same pattern at all frequencies.
    package init(_ capsules: [Capsule], length: Int, sampleRate: SampleRate) {
        (self.length, self.sampleRate) = (length, sampleRate)
        positions = capsules.map(\.position)
        let patterns = capsules.map { SIMD4($0.pressure, (1 - $0.pressure) * $0.axis.unit) }
        real = (0...(length / 2)).flatMap { _ in patterns }
        imaginary = [SIMD4<Double>](repeating: SIMD4(), count: real.count)
    }

    /// Returns the frequency of a bin, Hz.
    package func frequency(_ bin: Int) -> Double { Double(bin) * sampleRate.hertz / Double(length) }

    /// Returns the complex response of a capsule in a bin to a plane wave from the direction of the unit vector `u`.
    package func response(_ bin: Int, capsule: Int, _ u: SIMD3<Double>) -> (real: Double, imaginary: Double) {
        let place = bin * capsuleCount + capsule
        let y = SIMD4(1, u)
        let (a, b) = ((real[place] * y).sum(), (imaginary[place] * y).sum())
        let phase = 2 * .pi * frequency(bin) / Self.speedOfSound * (positions[capsule] * u).sum()
        let (c, s) = (cos(phase), sin(phase))
        return (a * c - b * s, a * s + b * c)
    }

    /// Returns the responses of the rotated device, in scene axes.
    package func turned(by orientation: InputOrientation) -> ArrayResponses {
        let turn = orientation.deviceToScene.quaternion
        var copy = ArrayResponses(length: length, sampleRate: sampleRate, positions: positions.map(turn.rotate))
        func turned(_ c: SIMD4<Double>) -> SIMD4<Double> { SIMD4(c.x, turn.rotate(SIMD3(c.y, c.z, c.w))) }
        copy.real = real.map(turned)
        copy.imaginary = imaginary.map(turned)
        return copy
    }

    private init(length: Int, sampleRate: SampleRate, positions: [SIMD3<Double>]) {
        (self.length, self.sampleRate, self.positions) = (length, sampleRate, positions)
        (real, imaginary) = ([], [])
    }
}

extension SIMD4<Double> {
    /// Creates a vector of one number and a vector of three.
    init(_ first: Double, _ rest: SIMD3<Double>) { self.init(first, rest.x, rest.y, rest.z) }
}
