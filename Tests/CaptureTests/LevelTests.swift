import Capture
import Foundation
import SeededRandom
import Signal
import Testing

@Suite struct LevelTests {
    static let rate = 48_000

    /// Runs a sound through a gain in blocks. Returns the output, the gain in dB after each block, and the delay in
    /// frames.
    static func through(
        _ gain: Double, _ sound: [Float], block: Int
    ) -> (sound: [Float], decibels: [Double], late: Int) {
        var steady = SteadyGain(channels: 1, decibels: gain, sampleRate: .studio)
        let line = PlanarBlock(channels: 1, frames: block)
        let plain = PlanarBlock(channels: 1, frames: block)
        var (out, decibels): ([Float], [Double]) = ([], [])
        var done = 0
        while done < sound.count {
            let count = min(block, sound.count - done)
            for i in 0..<count { line[0][i] = sound[done + i] }
            steady.process(line, plain: plain, frames: count)
            out += (0..<count).map { line[0][$0] }
            decibels.append(steady.decibels)
            done += count
        }
        return (out, decibels, steady.delayFrames)
    }

    /// Returns quiet noise with claps of full scale.
    static func claps(seconds: Int, at places: [Int]) -> [Float] {
        var chance = SplitMix(state: 4)
        var sound = (0..<(seconds * rate)).map { _ in Float(0.02 * (2 * chance.unit() - 1)) }
        for place in places { for i in 0..<200 { sound[place * rate + i] += Float(2.5 * (2 * chance.unit() - 1)) } }
        return sound
    }

    @Test(arguments: [480, 1000, 37])
    func `nothing exceeds the ceiling, and what is quiet keeps its level`(block: Int) {
        let sound = Self.claps(seconds: 30, at: [3, 5, 9])
        let (out, decibels, late) = Self.through(6, sound, block: block)
        #expect(out.allSatisfy { abs($0) <= SteadyGain.ceiling * 1.0001 })
        // Before the first clap the gain is exactly the one set.
        let isAsSet = (late..<(late + 2 * Self.rate)).allSatisfy { abs(out[$0] - 1.995_262 * sound[$0 - late]) < 1e-6 }
        #expect(isAsSet)
        // Between the claps the gain rests, as its hold of 10 s is not over.
        let after = Int(4.5 * Double(Self.rate)) / block
        let later = Int(8.0 * Double(Self.rate)) / block
        #expect(abs(decibels[after] - decibels[later]) < 0.5)
        #expect(decibels[after] < 0)
    }

    @Test func `it comes up slowly and falls along a line`() {
        let (_, decibels, _) = Self.through(0, Self.claps(seconds: 40, at: [3]), block: 480)
        for (a, b) in zip(decibels, decibels.dropFirst()) {
            #expect(b - a <= 0.0051)
            #expect(a - b <= 0.61)
        }
        #expect(decibels.min()! < -7)
        #expect(decibels.last! > -0.01)
    }

    @Test func `a high-pass takes wind and leaves speech`() {
        for (hertz, due) in [(20.0, -48.0), (80, -3), (160, -0.02), (1000, 0)] {
            var filter = WindFilter(channels: 1, hertz: 80, sampleRate: .studio)
            let block = PlanarBlock(channels: 1, frames: 48_000)
            for i in 0..<48_000 { block[0][i] = Float(sin(2 * .pi * hertz * Double(i) / 48_000)) }
            filter.process(block, frames: 48_000)
            let power = (24_000..<48_000).reduce(0.0) { $0 + Double(block[0][$1]) * Double(block[0][$1]) } / 12_000
            #expect(abs(10 * log10(power) - due) < 0.2, "\(hertz) Hz")
        }
    }

    @Test(arguments: [1, 7, 64, 1000])
    func `the newest frames are kept, oldest first`(block: Int) {
        var roll = PreRoll(channels: 2, frames: 100)
        let input = PlanarBlock(channels: 2, frames: block)
        var frame = 0
        while frame < 2000 {
            for i in 0..<block { (input[0][i], input[1][i]) = (Float(frame + i), Float(-frame - i)) }
            roll.keep(input, frames: block)
            frame += block
        }
        #expect(roll.count == 100)
        let out = PlanarBlock(channels: 2, frames: 60)
        var found: [Float] = []
        while case let count = roll.take(into: out, limit: 60), count > 0 {
            for i in 0..<count {
                #expect(out[1][i] == -out[0][i])
                found.append(out[0][i])
            }
        }
        #expect(found == (0..<100).map { Float(frame - 100 + $0) })
    }
}
