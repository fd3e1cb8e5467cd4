import Signal
import Testing

@testable import AudioMix

@Suite struct BandAgreementTests {
    private static let ahead = SIMD3<Float>(1, 0, 0)

    /// The bands that agree on what is ahead, of half a second in which some bins vote for it and the others for a spiral.
    private func agreeing(_ votesAhead: (Int) -> Bool) -> Int {
        let tuning = AudioMixTuning(.player, sampleRate: .studio)
        let agreement = BandAgreement(tuning, directions: 2), votes = Row(tuning.fieldBins, SIMD4<Float>.zero)
        let grid = DirectionGrid()
        var bands = 0
        for frame in 0..<16 {
            for bin in 0..<votes.count {
                let away = grid.centres.base[(bin * 97 + frame * 31) % grid.count]
                votes.base[bin] = SIMD4(votesAhead(bin) ? Self.ahead : away, 1)
            }
            bands = agreement.hear(1, Self.ahead, votes)
        }
        agreement.reset(1)
        for bin in 0..<votes.count { votes.base[bin].w = 0 }
        #expect(agreement.hear(1, Self.ahead, votes) == 0)
        return bands
    }

    @Test func aVoiceIsBroad() {
        // A quarter of all bins, as partials of one voice.
        #expect(agreeing { $0 % 4 == 0 } >= BandAgreement.broad)
    }

    @Test func aFewNotesAreNot() {
        // The partials of one note at 880 Hz, three bins each.
        let note = agreeing { $0 % 75 < 3 }
        #expect(note > 2 && note < BandAgreement.broad, "\(note)")
        #expect(agreeing { _ in false } < 4)
    }
}
