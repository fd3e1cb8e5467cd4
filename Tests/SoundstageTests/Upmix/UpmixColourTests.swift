import Signal
import Testing

@testable import Soundstage

@Suite struct UpmixColourTests {
    static func programme(_ layout: String = "5.1", isMono: Bool = false, _ mono: MonoPlacement = .wide) throws
        -> Programme
    {
        Programme(
            layout: try .named(layout), hasMultichannelRendition: false, hasStereoRendition: true, isMono: isMono,
            upmix: UpmixPlan(mono: mono))
    }

    /// Plays rows of noise through a colour in calls of `periods` frames, with `asks` before each call.
    static func play(
        _ colour: inout UpmixColour, periods: [Int], frames: Int = 1024, asks: (Int, inout UpmixColour) -> Void
    ) -> [[Float]] {
        let rows = PlanarBlock(channels: 6, frames: frames)
        for row in 0..<6 { for (i, x) in UpmixScene.noise(frames, seed: UInt64(row)).enumerated() { rows[row][i] = x } }
        var (done, call) = (0, 0)
        while done < frames {
            let count = min(periods[call % periods.count], frames - done)
            asks(done, &colour)
            var pointers = (0..<6).map { rows[$0] + done }
            colour.process(&pointers, frames: count, isHeard: true)
            (done, call) = (done + count, call + 1)
        }
        return (0..<6).map { row in (0..<frames).map { rows[row][$0] } }
    }

    /// Returns a row as a colour without a filter plays it: 8 frames later.
    static func late(_ row: [Float]) -> [Float] { [Float](repeating: 0, count: 8) + row.dropLast(8) }

    /// Returns filters that delay: the centre by the angle's index in samples, the surrounds by twice as many.
    static func delays(angles: Int) -> UpmixColourTable {
        UpmixColourTable(angles: angles, groups: 2, taps: 64) { rows in
            for angle in 0..<angles {
                for group in 0..<2 { rows[(angle * 2 + group) * 64 + angle * (group + 1)] = 1 }
            }
        }
    }

    @Test func itOnlyDelaysBeforeItIsAskedForAndWithoutAShare() throws {
        var colour = UpmixColour(try Self.programme(), sampleRate: .studio)
        let untouched = (0..<6).map { Self.late(UpmixScene.noise(1024, seed: UInt64($0))) }
        #expect(colour.latencyFrames == 8)
        #expect(Self.play(&colour, periods: [256]) { _, _ in } == untouched)
        colour.restart()
        let table = Self.delays(angles: 8)
        defer { table.deallocate() }
        let without = Self.play(&colour, periods: [256]) { done, colour in
            colour.aim(table, azimuth: 0.9, share: 0, isNew: done == 0, frames: 128, atOnce: true)
        }
        #expect(without == untouched)
    }

    @Test func theCentreAndTheSurroundsGoThroughFiltersOfTheirOwnAndNothingElseDoes() throws {
        var colour = UpmixColour(try Self.programme(), sampleRate: .studio)
        let table = Self.delays(angles: 8)
        defer { table.deallocate() }
        // A fifth of a step past direction 3: 4/5 of its filter and 1/5 of the next.
        let found = Self.play(&colour, periods: [256]) { _, colour in
            colour.aim(table, azimuth: 3.2 / 8 * 2 * Double.pi, share: 1, isNew: false, frames: 128, atOnce: true)
        }
        for row in 0..<6 {
            let x = UpmixScene.noise(1024, seed: UInt64(row))
            let (near, far) = row == 2 ? (3, 4) : row == 4 || row == 5 ? (6, 8) : (8, 8)
            for i in 10..<1024 { #expect(abs(found[row][i] - (0.8 * x[i - near] + 0.2 * x[i - far])) < 1e-5) }
        }
    }

    @Test func aNewFilterFadesInOverTheFramesAskedForWhereverTheStreamIsCut() throws {
        let table = Self.delays(angles: 8)
        defer { table.deallocate() }
        func ask(_ done: Int, _ colour: inout UpmixColour) {
            let step = 2 * Double.pi / 8
            colour.aim(
                table, azimuth: done < 512 ? 0 : 5 * step, share: 1, isNew: false, frames: 128, atOnce: done == 0)
        }
        var whole = UpmixColour(try Self.programme(), sampleRate: .studio)
        let reference = Self.play(&whole, periods: [256], asks: ask)
        for periods in [[128], [64], [1, 15, 48]] {
            var cut = UpmixColour(try Self.programme(), sampleRate: .studio)
            #expect(Self.play(&cut, periods: periods, asks: ask) == reference)
        }
        let x = UpmixScene.noise(1024, seed: 2)
        for i in 512..<700 {
            let share = min(1, Float(i - 512) / 128)
            #expect(abs(reference[2][i] - ((1 - share) * x[i] + share * x[i - 5])) < 1e-5)
        }
    }

    @Test func oneChannelInTheCentreAndStereoBesideMoreAreLeftAsTheyAre() throws {
        #expect(try Self.programme(isMono: true, .centre).colouredGroups.isEmpty)
        #expect(try Self.programme(isMono: true, .wide).colouredGroups == [[2], [4, 5]])
        #expect(try Self.programme("9.1.6").colouredGroups.map(\.count) == [1, 2, 2, 2, 2, 2, 2])
        #expect(Programme(layout: try .named("5.1")).colouredGroups.isEmpty)
        let both = Programme(layout: try .named("5.1"), hasStereoRendition: true, upmix: UpmixPlan())
        #expect(both.colouredGroups.isEmpty)
    }
}
