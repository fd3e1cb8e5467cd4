import Testing

@testable import Soundstage

@Suite struct LoudspeakerLoudnessTests {
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
