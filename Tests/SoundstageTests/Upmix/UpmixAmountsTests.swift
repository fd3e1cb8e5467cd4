import StoredProperties
import Testing

@testable import Soundstage

/// `UpmixAmounts` names each amount, because the audio thread cannot reflect over them.
@Suite struct UpmixAmountsTests {
    private static let from = UpmixControls(centre: 0, width: 1, ambience: 0)
    private static let to = UpmixControls(centre: 1, width: 0, ambience: 1)

    @Test func everyAmountMovesAndArrives() {
        // A new amount needs different values in `from` and `to`.
        #expect(StoredProperties.same(Self.from, Self.to).isEmpty)
        var amounts = UpmixAmounts(Self.from, step: 64, sampleRate: 48_000)
        amounts.aim(at: Self.to)
        amounts.advance()
        #expect(StoredProperties.same(amounts.now, Self.from).isEmpty)
        #expect(StoredProperties.same(amounts.now, Self.to).isEmpty)
        for _ in 0..<1000 { amounts.advance() }
        #expect(amounts.now == Self.to && amounts.rests)
    }

    @Test(arguments: [
        UpmixControls(centre: 1, width: 1, ambience: 0), UpmixControls(centre: 0, width: 0, ambience: 0),
        UpmixControls(centre: 0, width: 1, ambience: 1),
    ])
    func eachAmountMovesAlone(_ target: UpmixControls) {
        var amounts = UpmixAmounts(Self.from, step: 64, sampleRate: 48_000)
        amounts.aim(at: target)
        #expect(!amounts.rests)
        for _ in 0..<1000 { amounts.advance() }
        #expect(amounts.now == target)
    }
}
