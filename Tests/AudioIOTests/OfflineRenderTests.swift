import Foundation
import Rendering
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

@Suite struct OfflineRenderTests {
    private func write(_ sound: [[Float]], to path: String) throws {
        let block = PlanarBlock(channels: sound.count, frames: sound[0].count)
        for channel in sound.indices {
            for (i, sample) in sound[channel].enumerated() { block[channel][i] = sample }
        }
        let writer = try SoundFileWriter(path: path, channels: sound.count, sampleRate: .studio)
        try writer.write(block, frames: sound[0].count)
        try writer.finish()
    }

    private func render(
        _ path: String, to output: String, block: Int = 256, tail: Int = 0, keepsTail: Bool = true,
        stage: StageRenderer? = nil, isCancelled: () -> Bool = { false }
    ) throws {
        let input = try SoundFileReader(path: path)
        let writer = try SoundFileWriter(path: output, channels: 2, sampleRate: input.sampleRate, replaces: true)
        let render = OfflineRender(blockFrames: block, tailFrames: tail, keepsTail: keepsTail)
        let renderer = try stage ?? makeStage()
        _ = try render.run(from: input, through: renderer, into: writer, isCancelled: isCancelled)
    }

    @Test func offlineIsTheMemoryDriverToTheBit() throws {
        let scratch = try Scratch()
        let sound = noise(10_000)
        try write(sound, to: scratch("in.wav"))
        for block in [16, 64, 256, 1000, 8192] {
            try render(scratch("in.wav"), to: scratch("out.wav"), block: block, tail: 500)
            let live = MemoryDriver(renderer: try makeStage(), inputCount: 2, sampleRate: .studio)
            let heard = live.run(sound, periods: Array(repeating: block, count: (10_500 + block - 1) / block))
            #expect(try WholeSound.read(scratch("out.wav")) == heard.map { Array($0.prefix(10_500)) })
        }
    }

    @Test func theOutputIsAsLongAsTheInputAndItsTail() throws {
        let scratch = try Scratch()
        try write(noise(1000), to: scratch("in.wav"))
        try render(scratch("in.wav"), to: scratch("tail.wav"), tail: 700)
        #expect(try WholeSound.read(scratch("tail.wav"))[0].count == 1700)
        try render(scratch("in.wav"), to: scratch("bare.wav"), tail: 700, keepsTail: false)
        #expect(
            try WholeSound.read(scratch("bare.wav"))[0] == Array(WholeSound.read(scratch("tail.wav"))[0].prefix(1000)))
    }

    @Test func aLookAheadIsTakenOff() throws {
        let scratch = try Scratch()
        var sound = [[Float](repeating: 0, count: 3000), [Float](repeating: 0, count: 3000)]
        sound[0][100] = 0.25
        sound[0][2999] = 0.125
        try write(sound, to: scratch("in.wav"))
        let stage = try makeStage(transparent: true, outputGuard: .lookahead)
        #expect(stage.latencyFrames > 0)
        try render(scratch("in.wav"), to: scratch("out.wav"), stage: stage)
        let heard = try WholeSound.read(scratch("out.wav"))[0]
        #expect(heard.count == 3000)
        #expect(abs(heard[100] - 0.25) < 1e-6 && abs(heard[2999] - 0.125) < 1e-6)
    }

    @Test func whatIsCancelledLeavesNothing() throws {
        let scratch = try Scratch()
        try write(noise(100_000), to: scratch("in.wav"))
        var blocks = 0
        #expect(throws: SoundFileError.cancelled) {
            try render(scratch("in.wav"), to: scratch("out.wav")) {
                blocks += 1
                return blocks > 20
            }
        }
        #expect(scratch.contents == ["in.wav"])
    }

    @Test func aFullDiskLeavesNothing() throws {
        let scratch = try Scratch()
        try write(noise(100_000), to: scratch("in.wav"))
        let error = #expect(throws: SoundFileError.self) { try render(scratch("in.wav"), to: "/dev/full") }
        guard case .diskFull = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
