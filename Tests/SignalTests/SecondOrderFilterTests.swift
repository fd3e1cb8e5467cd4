import Foundation
import Testing

@testable import Signal

@Suite struct SecondOrderFilterTests {
    private static let rate = 48_000.0
    private static let sections = [
        SecondOrderSection(highPass: 80, quality: 0.7071, sampleRate: rate),
        SecondOrderSection(lowPass: 1500, quality: 2, sampleRate: rate),
        SecondOrderSection(b0: 0.9, b1: -0.3, b2: 0.1, a1: -0.5, a2: 0.25),
    ]

    /// Returns reproducible numbers in −1…1.
    private static func noise(_ count: Int, seed: UInt64) -> [Double] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        }
    }

    @Test func aFilterIsItsDifferenceEquation() {
        for section in Self.sections {
            let x = [0, 0] + Self.noise(500, seed: 3)
            var y = [Double](repeating: 0, count: x.count)
            var filter = SecondOrderFilter(section)
            for n in 2..<x.count {
                y[n] =
                    section.b0 * x[n] + section.b1 * x[n - 1] + section.b2 * x[n - 2] - section.a1 * y[n - 1]
                    - section.a2 * y[n - 2]
                #expect(abs(filter(x[n]) - y[n]) < 1e-12)
            }
        }
    }

    @Test func aTonesLevelIsTheMagnitude() {
        for section in Self.sections {
            for hertz in [100.0, 1000, 5000] {
                var filter = SecondOrderFilter(section)
                let angle = 2 * Double.pi * hertz / Self.rate
                let heard = (0..<96_000).map { filter(sin(angle * Double($0))) }
                let power = heard[48_000...].reduce(0) { $0 + $1 * $1 } / 24_000
                #expect(abs(power.squareRoot() / section.magnitude(at: angle) - 1) < 1e-6)
                #expect(abs(power / section.power(at: angle) - 1) < 1e-6)
            }
        }
    }

    @Test func channelsSideBySideHaveTheBitsOfEachAlone() {
        let (a, b) = (Self.noise(400, seed: 1), Self.noise(400, seed: 2))
        let (one, two) = (Self.sections[0], Self.sections[1])
        var pair = SecondOrderFilterPair(one, two)
        var quad = SecondOrderFilterQuad(one)
        var alone = [one, two, one].map(SecondOrderFilter.init)
        for i in a.indices {
            let (first, second, third) = (alone[0](a[i]), alone[1](b[i]), alone[2](b[i]))
            #expect(pair(SIMD2(a[i], b[i])) == SIMD2(first, second))
            #expect(quad(SIMD4(a[i], b[i], b[i], a[i])) == SIMD4(first, third, third, first))
        }
        pair.reset()
        quad.reset()
        #expect(pair(SIMD2(0, 0)) == SIMD2(0, 0) && quad(SIMD4()) == SIMD4())
    }

    @Test func whatHasGrownBeyondAllBoundsIsNotSound() {
        let unstable = SecondOrderSection(b0: 1, b1: 0, b2: 0, a1: -2.5, a2: 1)
        var pair = SecondOrderFilterPair(.identity, unstable)
        for _ in 0..<200 { _ = pair(SIMD2(1, 1)) }
        #expect(!pair.isSound && !unstable.isStable)
        pair.reset()
        #expect(pair.isSound)
        _ = pair(SIMD2(.nan, 0))
        #expect(SecondOrderFilterPair(.identity, .identity).isSound)
    }

    @Test(arguments: [(0.9, 0.5), (0.5, 2.0), (0.99, 0.0)])
    func thePoleRadiusIsThatOfThePolesGiven(_ radius: Double, _ angle: Double) {
        let section = SecondOrderSection(b0: 1, b1: 0, b2: 0, a1: -2 * radius * cos(angle), a2: radius * radius)
        #expect(abs(section.poleRadius - radius) < 1e-7)
        #expect(section.isStable)
    }

    @Test func aBandIsThreeDecibelsDownAtItsEdges() throws {
        let band = SecondOrderFilter.band(from: 300, to: 6000, sampleRate: try #require(SampleRate(hertz: Self.rate)))
        for hertz in [300.0, 6000] {
            let angle = 2 * Double.pi * hertz / Self.rate
            let power = band.reduce(1) { $0 * $1.section.power(at: angle) }
            #expect(abs(10 * log10(power) + 3.01) < 0.05)
        }
    }
}
