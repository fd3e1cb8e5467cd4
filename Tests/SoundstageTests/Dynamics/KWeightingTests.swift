import Foundation
import Signal
import Testing

@testable import Soundstage

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

    @Test func weightsAreThoseOfTheLoudspeakersPlaces() throws {
        let seven = try Layout.named("7.1.4").loudspeakers
        let weights = Dictionary(uniqueKeysWithValues: seven.map { ($0.symbol, $0.loudnessWeight) })
        #expect(weights["FL"] == 1 && weights["FC"] == 1 && weights["LFE"] == 0)
        #expect(weights["SL"] == 1.41 && weights["SR"] == 1.41)
        #expect(weights["BL"] == 1 && weights["TFL"] == 1 && weights["TBR"] == 1)
        #expect(try Layout.named("5.1").loudnessWeights == [1, 1, 1, 0, 1.41, 1.41])
        #expect(try Layout.named("9.1.6").loudspeakers.first { $0.symbol == "FWL" }?.loudnessWeight == 1.41)
        #expect(try Layout.named("ambi1").loudnessWeights == [1, 0, 0, 0])
        let furse = try Layout.named("ambi1", ambisonics: .fuma).loudnessWeights
        #expect(abs(furse[0] - 2) < 1e-6 && furse[1] == 0)
    }
}
