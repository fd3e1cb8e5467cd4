import Foundation
import Signal
import Testing

@testable import Metering

@Suite struct KWeightingTests {
    @Test func at48KilohertzTheFiltersAreTheRecommendationsTable() {
        let filter = KWeighting(sampleRate: 48_000)
        let shelf = filter.shelf
        for (found, table) in [
            (shelf.b0, 1.53512485958697), (shelf.b1, -2.69169618940638), (shelf.b2, 1.19839281085285),
            (shelf.a1, -1.69065929318241), (shelf.a2, 0.73248077421585), (filter.highPass.a1, -1.99004745483398),
            (filter.highPass.a2, 0.99007225036621),
        ] { #expect(abs(found - table) < 1e-9) }
    }

    @Test(arguments: [44_100.0, 48_000, 192_000], [20.0, 38, 100, 997, 1682, 8000, 20_000])
    func theGainAtAFrequencyIsThatOfTheFiltersOnATone(_ rate: Double, _ hertz: Double) throws {
        // The tone's energy after both filters, over whole seconds, against its own.
        let count = Int(rate)
        let weighted = KWeightedEnergy(sampleRate: try #require(SampleRate(hertz: rate)), channelWeights: [1])
        let tone = (0..<2 * count).map { Float(sin(2 * .pi * hertz * Double($0) / rate)) }
        let energy = tone.withUnsafeBufferPointer { samples -> Double in
            guard var row = samples.baseAddress else { return .nan }
            weighted.listen(&row, from: 0, frames: count)
            _ = weighted.take()
            weighted.listen(&row, from: count, frames: count)
            return weighted.take()
        }
        let found = (energy / (Double(count) / 2)).squareRoot()
        #expect(abs(20 * log10(found / KWeighting(sampleRate: rate).magnitude(at: hertz))) < 0.001)
    }
}
