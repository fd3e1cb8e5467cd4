import Foundation
import Signal
import Testing

@testable import Soundstage

/// A channel that is torn and put back at random, in quick succession, leaves no click.
@Suite struct RenditionLineTests {
    static let calm = 24_000
    static let frames = 48_000 * 5

    /// Number of seeds: about 15 000 seams, or 300 000 in the soak.
    static let seeds: UInt64 = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1" ? 20 : 1

    static let ways: [Tearing] = [
        Tearing(), Tearing(period: 64), Tearing(period: 64, most: 60), Tearing(hold: 960),
        Tearing(hold: 960, period: 64, most: 12),
        Tearing(hold: 960, earlier: 900), Tearing(later: 600),
        Tearing(hold: 960, period: 128, earlier: 300, later: 300),
        Tearing(hold: 960, gaps: 0.5), Tearing(period: 256, most: 8, gaps: 0.7),
        Tearing(hold: 480, period: 16, most: 100),
    ]

    @Test(arguments: TornMaterial.allCases, 0..<ways.count)
    func noClickHoweverQuicklyAChannelGoesAndComes(_ material: TornMaterial, _ way: Int) {
        let tearing = Self.ways[way]
        var seams = 0
        var (burst, bend) = (-Double.infinity, -Double.infinity)
        for seed in 0..<Self.seeds {
            let sound = material.sound(Self.frames, seed: seed)
            let (torn, plain, places, jumps) = tearing.play(sound, calm: Self.calm, seed: 100 * seed + UInt64(way))
            let found = TornMetrics(torn, over: plain, jumps: jumps, from: Self.calm)
            seams += places.count
            burst = max(burst, found.burst.decibels)
            bend = max(bend, found.bend.decibels)
        }
        #expect(seams > 50)
        #expect(burst <= 6 && bend <= 6, "\(material) \(tearing): burst \(burst), bend \(bend) dB over \(seams) seams")
    }

    /// Printed, not checked: time of the audio thread when twelve channels break off in one slice of 64 frames.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1",
            "costs belong to the long form"),
        .serialized,
        arguments: TornMaterial.allCases)
    func twelveChannelsBreakOffInOneSlice(_ material: TornMaterial) {
        let (channels, period, rounds) = (12, 64, 60)
        var line = RenditionLine(count: channels, longest: 0, hold: 0, rise: 720)
        let prediction = LinearPrediction()
        let block = PlanarBlock(channels: channels, frames: period)
        let inputs = UnsafeRawPointer(block.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        let connected = UnsafeMutablePointer<Bool>.allocate(capacity: channels)
        defer { connected.deallocate() }
        let sounds = (0..<channels).map { material.sound(rounds * 60 * period, seed: UInt64($0)) }
        var (breaks, tails) = ([Duration](), [Duration]())
        for slice in 0..<rounds * 60 {
            let isHere = slice % 60 < 40
            for channel in 0..<channels {
                connected[channel] = isHere
                for i in 0..<period { block[channel][i] = isHere ? sounds[channel][slice * period + i] : 0 }
            }
            let time = ContinuousClock().measure {
                line.take(
                    inputs, connected: connected, followsGap: false, frames: period, prediction: prediction)
            }
            if slice % 60 == 40 { breaks.append(time) }
            if (41..<50).contains(slice % 60) { tails.append(time) }
        }
        #expect(line.breaks == channels * rounds)
        breaks.sort()
        tails.sort()
        func microseconds(_ time: Duration) -> String { "\(Int((time / .microseconds(1)).rounded())) µs" }
        print(
            "\(material): a break takes \(microseconds(breaks[rounds / 2])), at most \(microseconds(breaks[rounds - 1]));",
            "each slice after it \(microseconds(tails[tails.count / 2]))")
    }
}
