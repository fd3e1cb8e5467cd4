import Signal
import Testing

@testable import AudioMix

@Suite struct BandAgreementTests {
    private static let ahead = SIMD3<Float>(1, 0, 0), left = SIMD3<Float>(0, 1, 0)
    private let tuning = AudioMixTuning(.player, sampleRate: .studio)

    /// Feeds frames of half a second in which bands agree. Each bin takes its direction from `place`, or else from a
    /// spiral.
    private func hear(
        _ agreement: borrowing BandAgreement, besides other: SIMD3<Float> = .zero,
        _ place: (Int) -> SIMD3<Float>?
    ) -> Int {
        // Three frames of votes in a call.
        let votes = Row(3 * tuning.voteBins, SIMD4<Float>.zero), grid = DirectionGrid()
        var bands = 0
        for frame in 0..<16 {
            for bin in 0..<votes.count {
                let away = grid.centres.base[(bin * 97 + frame * 31) % grid.count]
                votes.base[bin] = SIMD4(place(bin) ?? away, 1)
            }
            bands = agreement.hear(1, Self.ahead, votes, besides: other)
        }
        return bands
    }

    private func agreeing(_ votesAhead: (Int) -> Bool) -> Int {
        let agreement = BandAgreement(tuning, directions: 2)
        let bands = hear(agreement) { votesAhead($0) ? Self.ahead : nil }
        agreement.reset(1)
        let silence = Row(tuning.voteBins, SIMD4<Float>.zero)
        #expect(agreement.hear(1, Self.ahead, silence, besides: .zero) == 0)
        return bands
    }

    @Test func aVoiceIsBroad() {
        // A quarter of all bins, as the partials of one voice would be.
        #expect(agreeing { $0 % 4 == 0 } >= BandAgreement.broad)
    }

    @Test func aFewNotesAreNot() {
        // Partials of one note at 880 Hz, a bin each.
        let note = agreeing { $0 % tuning.voteBins % 19 == 0 }
        #expect(note > 2 && note < BandAgreement.broad, "\(note)")
        #expect(agreeing { _ in false } < 4)
    }

    @Test func whatAnotherTalkerHasCountsForNothing() {
        // One bin in twelve is ahead; most of the others belong to another talker.
        let place: (Int) -> SIMD3<Float>? = { $0 % 12 == 0 ? Self.ahead : $0 % 12 < 9 ? Self.left : nil }
        let alone = hear(BandAgreement(tuning, directions: 2), place)
        let besides = hear(BandAgreement(tuning, directions: 2), besides: Self.left, place)
        #expect(alone < BandAgreement.broad && besides >= BandAgreement.broad, "\(alone), \(besides)")
    }

    @Test func chanceIsBroadForAMoment() {
        let agreement = BandAgreement(tuning, directions: 2), second = Int(1 / tuning.fieldSeconds)
        func stays(_ frames: Int, bands: Int, standsOut: Bool = true) -> Int {
            (0..<frames).count { _ in agreement.judge(1, bands: bands, standsOut: standsOut) }
        }
        #expect(stays(10, bands: BandAgreement.broad - 1) == 0)
        // Eleven bands for a moment, then five.
        #expect(stays(1, bands: BandAgreement.broad) == 1)
        #expect(stays(3 * second, bands: 5) < second)
        // A talker, a pause of two seconds, and a word.
        #expect(stays(2 * second, bands: 16) == 2 * second)
        #expect(stays(2 * second, bands: 2, standsOut: false) == 2 * second)
        #expect(stays(second, bands: 12) == second)
        // Another talker at the same place.
        agreement.reset(1)
        #expect(stays(1, bands: 9) == 0)
    }
}
