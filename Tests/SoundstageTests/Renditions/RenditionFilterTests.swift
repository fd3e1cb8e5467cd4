import Foundation
import Signal
import Testing

@testable import Soundstage

@Suite struct RenditionFilterTests {
    /// Returns the last of five feeds of a sound, filtered by a colour.
    private static func coloured(_ colour: RenditionColour, pieces: [Int] = [256], _ sound: [Float]) -> [Float] {
        var filter = RenditionFilter(feedCount: 5, sampleRate: 48_000)
        filter.aim(colour)
        filter.jump()
        let rows = PlanarBlock(channels: 5, frames: 256)
        var (made, piece) = ([Float](), 0)
        while made.count < sound.count {
            let count = min(pieces[piece % pieces.count], sound.count - made.count)
            for row in 0..<5 { for i in 0..<count { rows[row][i] = sound[made.count + i] } }
            filter.apply(to: rows.pointers, count: 5, frames: count)
            made += (0..<count).map { rows[4][$0] }
            piece += 1
        }
        return made
    }

    private static func tone(_ hertz: Double) -> [Float] {
        (0..<24_000).map { Float(0.3 * sin(2 * .pi * hertz * Double($0) / 48_000)) }
    }

    @Test func atZeroDecibelsItChangesNothing() {
        let sound = Self.tone(440)
        #expect(Self.coloured(RenditionColour(), sound) == sound)
    }

    @Test(arguments: [60.0, 350, 1400, 11_000]) func aToneGetsTheGainThatIsFoldedFromItsShares(_ hertz: Double) {
        var colour = RenditionColour()
        let decibels: [Float] = [3, -2, 5, 0, -4, 1, 6, -6]
        for (band, gain) in decibels.enumerated() { colour[band] = gain }
        var (real, imaginary) = (0.0, 0.0)
        for (gain, share) in zip(decibels, RenditionColour.shares(of: hertz, sampleRate: 48_000)) {
            real += pow(10, Double(gain) / 20) * share.real
            imaginary += pow(10, Double(gain) / 20) * share.imaginary
        }
        let sound = Self.tone(hertz)
        let made = Self.coloured(colour, sound)
        func power(_ x: [Float]) -> Double { x[4800...].reduce(0) { $0 + Double($1) * Double($1) } }
        let found = 10 * log10(power(made) / power(sound))
        #expect(abs(found - 10 * log10(real * real + imaginary * imaginary)) < 0.01)
    }

    @Test func whereAStreamIsCutMakesNoDifference() {
        var colour = RenditionColour()
        for band in 0..<RenditionColour.bandCount { colour[band] = Float(band) - 4 }
        let sound = Self.tone(700)
        #expect(Self.coloured(colour, pieces: [1, 64, 100], sound) == Self.coloured(colour, sound))
    }

    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1",
            "costs belong to the long form"),
        arguments: [6, 12])
    func whatASliceCosts(_ channels: Int) {
        let rounds = 4000
        let rows = PlanarBlock(channels: channels, frames: 64)
        var colour = RenditionColour()
        for band in 0..<RenditionColour.bandCount { colour[band] = Float(band) - 4 }
        func median(_ work: () -> Void) -> Double {
            var times = (0..<rounds).map { _ in
                for row in 0..<channels { for i in 0..<64 { rows[row][i] = Float((i * 37 + row) % 64) / 64 - 0.5 } }
                return ContinuousClock().measure(work) / .microseconds(1)
            }
            times.sort()
            return times[rounds / 2]
        }
        var filter = RenditionFilter(feedCount: channels, sampleRate: 48_000)
        filter.aim(colour)
        filter.jump()
        let steady = median { filter.apply(to: rows.pointers, count: channels, frames: 64) }
        var gain = RenditionGain(sampleRate: 48_000)
        gain.aim(now: 2, usual: 3)
        gain.jump()
        let level = median { gain.apply(to: rows.pointers, count: channels, frames: 64) }
        print(
            "\(channels) channels, 64 frames:",
            String(format: "bands %.1f µs, gain %.1f µs of 1333 µs", steady, level))
    }
}
