import Foundation
import Signal
import Testing

@testable import Soundstage

/// Fold-downs by choice: the levels of Lo/Ro, and the sum of sides and backs in one pair of surrounds.
@Suite struct FoldChoiceTests {
    private func gains(_ from: String, _ to: String, _ choice: FoldChoice) throws -> [[Double]] {
        try Layout.named(from).conversion(to: Layout.named(to), choice: choice).gains
    }

    @Test func levelsOfCentreAndSurroundsAreThoseAskedFor() throws {
        let choice = FoldChoice(centre: Decibels(-4.5), surround: Decibels(-6))
        let stereo = try gains("5.1", "stereo", choice)
        let (centre, surround) = (pow(10, -4.5 / 20), pow(10, -6.0 / 20))
        for (found, wanted) in zip(stereo[0], [1, 0, centre, 0, surround, 0]) { #expect(abs(found - wanted) < 1e-6) }
        for (found, wanted) in zip(stereo[1], [0, 1, centre, 0, 0, surround]) { #expect(abs(found - wanted) < 1e-6) }
        // Backs and heights have the level of the surrounds, summed over both channels.
        let wide = try gains("7.1.4", "stereo", choice)
        for channel in 4..<12 {
            let sum = wide[0][channel] + wide[1][channel]
            #expect(abs(sum - surround) < 1e-6, "channel \(channel)")
        }
    }

    @Test func surroundsCanBeLeftOut() throws {
        let stereo = try gains("5.1", "stereo", FoldChoice(surround: Decibels(amplitude: 0)))
        #expect(stereo[0][4] == 0 && stereo[1][5] == 0 && stereo[0][0] == 1)
    }

    @Test func whatIsNotChosenIsAsBefore() throws {
        for (from, to) in [("7.1.4", "stereo"), ("7.1", "5.1"), ("5.1", "mono"), ("9.1.6", "lcr")] {
            #expect(try gains(from, to, FoldChoice()) == Layout.named(from).conversion(to: Layout.named(to)).gains)
        }
    }

    /// Sum of the gains from side and back to one surround: the level of a sound that is equal in both.
    @Test(arguments: [(FoldChoice.SurroundSum.full, 2.0), (.power, 2.0.squareRoot()), (.amplitude, 1)])
    func sidesAndBacksShareOnePair(_ sum: FoldChoice.SurroundSum, _ wanted: Double) throws {
        let seven = try Layout.named("7.1")
        let rows = try gains("7.1", "5.1", FoldChoice(surroundSum: sum))
        let left = seven.loudspeakers.indices.filter { ["SL", "BL"].contains(seven.loudspeakers[$0].symbol) }
        let found = left.reduce(0.0) { $0 + rows[4][$1] }
        #expect(abs(found - wanted) < 1e-9)
        // Without backs to share with, or with backs in the target, the gains are unchanged.
        #expect(try gains("5.1", "5.1", FoldChoice(surroundSum: sum)) == gains("5.1", "5.1", FoldChoice()))
        #expect(try gains("7.1", "7.1.4", FoldChoice(surroundSum: sum)) == gains("7.1", "7.1.4", FoldChoice()))
    }
}
