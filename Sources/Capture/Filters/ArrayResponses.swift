import Geometry
import Glibc
import Signal

/// What the capsules of an array make of plane waves, in every bin of a transform.
///
/// Capsule q hears a wave from direction u as (c₀ + c·u)·e^{i·k·p·u}: a pattern of first order, whose four numbers are
/// complex and change with frequency where they were measured, at place p, with k = 2πf/c. Time runs as e^{iωt}, and
/// phases count from the array's middle.
package struct ArrayResponses: Sendable {
    /// Metres per second in air of 20 °C.
    package static let speedOfSound = 343.2

    /// Samples of the transform, whose bins 0…length/2 these are.
    package let length: Int
    /// Their rate.
    package let sampleRate: SampleRate
    /// Metres, `[capsule]`.
    package let positions: [SIMD3<Double>]
    /// Coefficients of 1, x, y and z, `[bin][capsule]`.
    var real: [SIMD4<Double>]
    var imaginary: [SIMD4<Double>]

    /// Capsules.
    package var capsuleCount: Int { positions.count }
    /// Bins.
    package var binCount: Int { length / 2 + 1 }

    /// The responses of capsules as their data sheet has them: the same pattern at all frequencies.
    package init(_ capsules: [Capsule], length: Int, sampleRate: SampleRate) {
        (self.length, self.sampleRate) = (length, sampleRate)
        positions = capsules.map(\.position)
        let patterns = capsules.map { SIMD4($0.pressure, (1 - $0.pressure) * $0.axis.unit) }
        real = (0...(length / 2)).flatMap { _ in patterns }
        imaginary = [SIMD4<Double>](repeating: SIMD4(), count: real.count)
    }

    /// Hertz at a bin.
    package func frequency(_ bin: Int) -> Double { Double(bin) * sampleRate.hertz / Double(length) }

    /// What a capsule makes of a direction, in a bin.
    package func response(_ bin: Int, capsule: Int, _ u: SIMD3<Double>) -> (real: Double, imaginary: Double) {
        let place = bin * capsuleCount + capsule
        let y = SIMD4(1, u)
        let (a, b) = ((real[place] * y).sum(), (imaginary[place] * y).sum())
        let phase = 2 * .pi * frequency(bin) / Self.speedOfSound * (positions[capsule] * u).sum()
        let (c, s) = (cos(phase), sin(phase))
        return (a * c - b * s, a * s + b * c)
    }

    /// The same capsules in a device that is turned: in axes of the scene.
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
    /// A number before a vector.
    init(_ first: Double, _ rest: SIMD3<Double>) { self.init(first, rest.x, rest.y, rest.z) }
}
