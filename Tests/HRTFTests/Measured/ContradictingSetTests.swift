import Geometry
import SOFA
import Signal
import Testing

@testable import HRTF

/// Files with repeated directions: several takes of one head are accepted, the filters of a decoder are refused.
@Suite("Contradicting sets") struct ContradictingSetTests {
    /// Returns a set of responses `[measurement][ear][sample]`.
    private func set(_ directions: [Direction<Head>], _ responses: [Float]) -> FreeFieldHRIR {
        FreeFieldHRIR(
            path: "repeated", attributes: [:], sampleRate: 48_000, sampleCount: responses.count / directions.count / 2,
            directions: directions, distances: [Double](repeating: 1, count: directions.count), responses: responses,
            delays: [Double](repeating: 0, count: 2 * directions.count))
    }

    private func complaint(_ file: FreeFieldHRIR) -> String? {
        do {
            _ = try MeasuredSet(file)
            return nil
        } catch { return error.description }
    }

    private let ring = (0..<24).map { Direction<Head>(azimuthDegrees: Double($0) * 15, elevationDegrees: 0) }

    @Test("the filters of an ambisonic decoder, all in one direction, are refused", arguments: [1, 2, 3])
    func decoder(_ order: Int) throws {
        // Filters of an ambisonic decoder: the head's responses weighted by each spherical harmonic.
        let grid = RingGrid(stepDegrees: 15).directions(in: Head.self)
        let responses = GeneratedHead().responses(grid)
        let count = (order + 1) * (order + 1)
        let length = responses.count / grid.count
        var filters = [Float](repeating: 0, count: count * length)
        for (place, direction) in grid.enumerated() {
            for (channel, value) in SphericalHarmonics.values(order: order, direction).enumerated() {
                let weight = Float(value / Double(grid.count))
                for sample in 0..<length {
                    filters[channel * length + sample] += weight * responses[place * length + sample]
                }
            }
        }
        let front = Direction<Head>(azimuthDegrees: 0, elevationDegrees: 0)
        let said = complaint(set([Direction<Head>](repeating: front, count: count), filters))
        #expect(said?.contains("its \(count) measurements have only 1 direction,") == true, "\(said ?? "")")
        #expect(said?.contains("choose a set with one response for each direction") == true)
    }

    @Test("two heads in one file are refused") func twoHeads() {
        let one = GeneratedHead().responses(ring)
        let half = one.count / ring.count / 2
        // In the second half the ears are exchanged.
        let other = ring.indices.flatMap { place -> [Float] in
            let start = 2 * place * half
            return Array(one[(start + half)..<(start + 2 * half)] + one[start..<(start + half)])
        }
        #expect(complaint(set(ring + ring, one + other))?.contains("24 different directions") == true)
    }

    @Test("takes of one head are one head, and so is a pole of many measurements") func takes() throws {
        let responses = GeneratedHead().responses(ring)
        var random = UInt64(7)
        let noisy = responses.map { value -> Float in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return 0.8 * value + 0.002 * (Float(random >> 40) / Float(1 << 23) - 1)
        }
        let twice = try MeasuredSet(set(ring + ring, responses + noisy))
        #expect(twice.directions.count == 24 && twice.remarks.contains { $0.contains("24 repeated directions") })
        // The head turned between measurements, so the responses at the pole differ.
        let pole = [Direction<Head>](repeating: Direction(azimuthDegrees: 0, elevationDegrees: 90), count: 24)
        let poles = try MeasuredSet(set(ring + pole, responses + responses))
        #expect(poles.directions.count == 25 && poles.remarks.contains { $0.contains("23 repeated directions") })
    }
}
