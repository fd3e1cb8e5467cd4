import Foundation
import Geometry
import Testing

@testable import HRTF

@Suite struct RigidSphereTests {
    private let sphere = RigidSphere()

    private func level(_ value: (real: Double, imaginary: Double)) -> Double {
        20 * log10(hypot(value.real, value.imaginary))
    }

    @Test func theLowestFrequenciesPassUnchanged() {
        for value in sphere.response(frequency: 5, cosines: [1, 0, -1]) { #expect(abs(level(value)) < 0.01) }
    }

    @Test func theHighestGainSixDecibelsInFront() {
        let value = sphere.response(frequency: 20_000, cosines: [1])[0]
        #expect(abs(level(value) - 6.02) < 0.3)
    }

    @Test func theFarSideHasABrightSpot() {
        let values = sphere.response(frequency: 8000, cosines: [cos(150 * .pi / 180), -1])
        #expect(level(values[1]) > level(values[0]) + 6)
    }

    @Test(arguments: [20.0, 45, 70])
    func lowFrequenciesAreLateByKuhnsThreeRadii(_ azimuth: Double) {
        // Kuhn 1977: interaural phase delay (3a/c)·sin(azimuth) well below 500 Hz, for ears on the axis.
        let frequency = 100.0
        let s = sin(azimuth * .pi / 180)
        let values = sphere.response(frequency: frequency, cosines: [s, -s])
        let phases = values.map { atan2($0.imaginary, $0.real) }
        let delay = (phases[0] - phases[1]) / (2 * .pi * frequency)
        #expect(abs(delay - 3 * sphere.radiusTime * s) < 0.01 * delay)
    }

    @Test func wavefrontsArriveAfterWoodworth() {
        let a = sphere.radiusTime
        #expect(abs(sphere.arrival(angle: 0) + a) < 1e-12)
        #expect(abs(sphere.arrival(angle: .pi / 2)) < 1e-12)
        #expect(abs(sphere.arrival(angle: .pi) - a * .pi / 2) < 1e-12)
    }
}

@Suite struct SphericalSplineTests {
    @Test func itReturnsItsDataAndConstants() {
        let directions = GeneratedHead.directions
        let spline = SphericalSpline(directions)
        let (indices, weights) = spline.weights(around: directions[200].unit, for: directions[200...201])
        #expect(indices.count == SphericalSpline.neighbours)
        for (place, row) in weights.enumerated() {
            #expect(abs(row.reduce(0, +) - 1) < 1e-9)
            let own = indices.firstIndex(of: 200 + place)!
            #expect(abs(row[own] - 1) < 0.02)
        }
    }

    @Test func itFollowsASmoothFunction() {
        let data = GeneratedHead.directions
        let spline = SphericalSpline(data)
        let f = { (u: SIMD3<Double>) -> Double in u.x * u.y + 0.5 * u.z * u.z + 0.3 * u.y }
        for target in RingGrid(stepDegrees: 23).directions(in: Head.self) {
            let (indices, weights) = spline.weights(around: target.unit, for: [target])
            var value = 0.0
            for (index, weight) in zip(indices, weights[0]) { value += weight * f(data[index].unit) }
            #expect(abs(value - f(target.unit)) < 2e-3)
        }
    }
}

@Suite struct TransformTests {
    @Test func thereAndBackIsTheSame() {
        let transform = FourierTransform(minimumCount: 100)
        #expect(transform.count == 128)
        let source = (0..<128).map { sin(Double($0 * $0) * 0.1) }
        var (real, imaginary) = (source, source.map { $0 * 0.5 })
        transform.forward(&real, &imaginary)
        transform.inverse(&real, &imaginary)
        #expect(zip(real, source).allSatisfy { abs($0 - $1) < 1e-13 })
    }

    @Test func minimumPhaseOfAFirstOrderZeroIsThatZero() {
        // |1 − 0.5·z⁻¹| is the magnitude of a minimum-phase filter.
        let n = 512
        let zero = (0...(n / 2)).map { k -> (Double, Double) in
            let w = 2 * Double.pi * Double(k) / Double(n)
            return (1 - 0.5 * cos(w), 0.5 * sin(w))
        }
        let spectrum = MinimumPhase.spectrum(decibels: zero.map { 20 * log10(hypot($0.0, $0.1)) })
        for (a, b) in zip(spectrum, zero) { #expect(abs(a.real - b.0) < 2e-3 && abs(a.imaginary - b.1) < 2e-3) }
    }

    @Test func onsetsAreFoundBetweenSamples() {
        var detector = OnsetDetector(count: 512, sampleRate: 48_000)
        var found: [Double] = []
        for fraction in [0.0, 0.25, 0.5, 0.75] {
            let kernel = DelayKernel.interpolator(fraction: fraction)
            var real = [Double](repeating: 0, count: 512)
            for (k, value) in kernel.enumerated() { real[100 + k] = value }
            var imaginary = real
            FourierTransform(minimumCount: 512).forward(&real, &imaginary)
            found.append(detector.onsets(real: real, imaginary: imaginary)[0].left - fraction)
        }
        #expect((found.max()! - found.min()!) < 0.02)
    }
}
