import Foundation
import Signal
import SoundFixtures
import Synchronization
import Testing
import Waiting

@testable import AudioIO

/// Plays a reader's queue in periods, as JACK would; the caller is the audio thread.
private final class Deck {
    let reader: PlaybackReader
    private let block: PlanarBlock
    private var frame: UInt32 = 0

    init(_ reader: PlaybackReader) {
        self.reader = reader
        block = PlanarBlock(channels: reader.queue.pointee.channelCount, frames: 8192)
        reader.queue.pointee.begin.store(1 << 63, ordering: .releasing)
    }

    deinit { reader.stop() }

    /// Appends a period to `heard`, `[channel][frame]`.
    func play(_ frames: Int, live: Bool, into heard: inout [[Float]]) {
        reader.queue.pointee.play(into: block.pointers, frames: frames, firstFrame: frame, live: live)
        frame &+= UInt32(frames)
        for channel in heard.indices { heard[channel] += UnsafeBufferPointer(start: block[channel], count: frames) }
    }
}

@Suite(.timeLimit(.minutes(10))) struct ProgrammeQueueTests {
    private func tone(_ path: String, seconds: Double, hertz: Double = 440, level: Float = 0.5, channels: Int = 2)
        throws
    {
        let frames = Int(seconds * 48_000)
        let block = PlanarBlock(channels: channels, frames: frames)
        for channel in 0..<channels {
            for i in 0..<frames { block[channel][i] = level * Float(sin(2 * .pi * hertz * Double(i) / 48_000)) }
        }
        let writer = try SoundFileWriter(path: path, channels: channels, sampleRate: .studio)
        try writer.write(block, frames: frames)
        try writer.finish()
    }

    /// Largest magnitude of the second difference. A tone of 440 Hz and level 0.5 has 0.0017, a click of 1 % has more.
    private func roughness(_ samples: [Float]) -> Float {
        var worst: Float = 0
        for i in 2..<samples.count { worst = max(worst, abs(samples[i] - 2 * samples[i - 1] + samples[i - 2])) }
        return worst
    }

    @Test(arguments: [64, 100, 1024, 8192]) func inFreewheelEverySampleOfTheFileComesOnce(period: Int) throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 3, frames: 300_007)
        fillWithNoise(block)
        let writer = try SoundFileWriter(path: scratch("a.wav"), channels: 3, sampleRate: .studio)
        try writer.write(block, frames: 300_007)
        try writer.finish()
        let deck = Deck(try PlaybackReader([PlaylistEntry(scratch("a.wav"))], rate: .studio))
        var heard = [[Float]](repeating: [], count: 3)
        while !deck.reader.queue.pointee.hasEnded.load(ordering: .acquiring) {
            deck.play(period, live: false, into: &heard)
        }
        for channel in 0..<3 {
            #expect(
                heard[channel].prefix(300_007).elementsEqual(UnsafeBufferPointer(start: block[channel], count: 300_007))
            )
            #expect(heard[channel].dropFirst(300_007).allSatisfy { $0 == 0 })
        }
        #expect(deck.reader.queue.pointee.underruns.load(ordering: .relaxed) == 0)
    }

    @Test func theChannelsThatAreChosenArePlayedInTheirOrder() throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 3, frames: 10_001)
        fillWithNoise(block)
        for name in ["a.wav", "a.flac"] {
            let writer = try SoundFileWriter(
                path: scratch(name), channels: 3, sampleRate: .studio, channelPositions: [1, 2, 4])
            try writer.write(block, frames: 10_001)
            try writer.finish()
            let whole = try WholeSound.read(scratch(name))
            let reader = try SoundFileReader(path: scratch(name), channels: [2, 0])
            #expect(reader.channelCount == 2 && reader.header.channelPositions == [4, 1])
            let deck = Deck(
                try PlaybackReader([PlaylistEntry(scratch(name), channels: [2, 0])], rate: .studio))
            var heard = [[Float]](repeating: [], count: 2)
            while !deck.reader.queue.pointee.hasEnded.load(ordering: .acquiring) {
                deck.play(1024, live: false, into: &heard)
            }
            #expect(heard.map { Array($0.prefix(10_001)) } == [whole[2], whole[0]])
            #expect(throws: SoundFileError.self) { try SoundFileReader(path: scratch(name), channels: [0, 3]) }
        }
    }

    @Test func filesFollowEachOtherWithoutAGapAndTheListLoops() throws {
        let scratch = try Scratch()
        try tone(scratch("a.wav"), seconds: 0.25)
        try tone(scratch("b.wav"), seconds: 0.125, hertz: 880)
        let deck = Deck(
            try PlaybackReader([PlaylistEntry(scratch("a.wav")), PlaylistEntry(scratch("b.wav"))], rate: .studio))
        // The read-ahead holds the whole list; the list repeats nevertheless.
        #expect(comes { deck.reader.queue.pointee.isComplete.load(ordering: .acquiring) })
        deck.reader.loops = true
        var heard: [[Float]] = [[], []]
        while heard[0].count < 48_000 { deck.play(512, live: false, into: &heard) }
        for i in 0..<6000 {
            #expect(heard[0][12_000 + i] == 0.5 * Float(sin(2 * .pi * 880 * Double(i) / 48_000)))
            #expect(heard[0][18_000 + i] == heard[0][i])
        }
    }

    @Test func aJumpFadesOutAndInAndGoesOnWhereItShould() throws {
        let scratch = try Scratch()
        try tone(scratch("a.wav"), seconds: 4)
        let deck = Deck(try PlaybackReader([PlaylistEntry(scratch("a.wav"))], rate: .studio))
        var heard: [[Float]] = [[], []]
        for _ in 0..<50 { deck.play(256, live: false, into: &heard) }
        deck.reader.jump(toFile: 0, frame: 100_003)
        // The reader's thread answers when it is scheduled; in freewheel the deck then waits for it.
        #expect(comes { deck.reader.queue.pointee.wantedTake.load(ordering: .acquiring) != 0 })
        for _ in 0..<50 { deck.play(256, live: false, into: &heard) }
        #expect(roughness(heard[0]) < 0.004)
        // From the end of the fade on, the output is the file from the requested frame.
        let played = heard[0].count - 12_800 - 480
        let tail = (0..<4800).map { 0.5 * Float(sin(2 * .pi * 440 * Double(100_003 + played - 4800 + $0) / 48_000)) }
        for i in 0..<4800 { #expect(abs(heard[0][heard[0].count - 4800 + i] - tail[i]) < 1e-6) }
        let place = deck.reader.position
        #expect(place.file == 0 && place.frame == 100_003 + played)
    }

    @Test func aPauseFadesAndNothingIsLost() throws {
        let scratch = try Scratch()
        try tone(scratch("a.wav"), seconds: 2)
        let deck = Deck(try PlaybackReader([PlaylistEntry(scratch("a.wav"))], rate: .studio))
        var heard: [[Float]] = [[], []]
        for _ in 0..<40 { deck.play(256, live: false, into: &heard) }
        deck.reader.queue.pointee.isPaused.store(true, ordering: .relaxed)
        for _ in 0..<10 { deck.play(256, live: false, into: &heard) }
        let stood = deck.reader.queue.pointee.playedFrames
        #expect(heard[0].suffix(1024).allSatisfy { $0 == 0 })
        for _ in 0..<10 { deck.play(256, live: false, into: &heard) }
        #expect(deck.reader.queue.pointee.playedFrames == stood)
        deck.reader.queue.pointee.isPaused.store(false, ordering: .relaxed)
        for _ in 0..<40 { deck.play(256, live: false, into: &heard) }
        #expect(roughness(heard[0]) < 0.004)
        #expect(deck.reader.queue.pointee.playedFrames == stood + 40 * 256)
    }

    @Test func liveMissingFramesAreCountedAndFadedNotWaitedFor() {
        // Without a reader's thread the fill of the queue does not depend on the machine's load.
        let queue = UnsafeMutablePointer<ProgrammeQueue>.allocate(capacity: 1)
        queue.initialize(to: ProgrammeQueue(channels: 1, capacityFrames: 16384))
        defer {
            queue.deinitialize(count: 1)
            queue.deallocate()
        }
        let tone = (0..<16384).map { 0.5 * Float(sin(2 * .pi * 440 * Double($0) / 48_000)) }
        let block = PlanarBlock(channels: 1, frames: 512)
        var heard: [Float] = []
        func play(_ periods: Int) {
            for _ in 0..<periods {
                queue.pointee.play(
                    into: block.pointers, frames: 512, firstFrame: UInt32(heard.count), live: true)
                heard += UnsafeBufferPointer(start: block[0], count: 512)
            }
        }
        func push(_ frames: Range<Int>) {
            tone.withUnsafeBufferPointer {
                queue.pointee.push($0.baseAddress! + frames.lowerBound, count: frames.count)
            }
        }
        queue.pointee.begin.store(1 << 63, ordering: .releasing)
        push(0..<4096)
        // After seven periods one period is left. Going on needs a period and a fade, so the eighth period fades out
        // and the rest is silence.
        play(10)
        #expect(queue.pointee.underruns.load(ordering: .relaxed) == 1)
        #expect(queue.pointee.playedFrames == 8 * 512 - 32)
        #expect(queue.pointee.missedFrames.load(ordering: .relaxed) == 32 + 2 * 512)
        let (isWhole, isSilent) = (
            heard[..<(7 * 512)] == tone[..<(7 * 512)], heard[(8 * 512 - 32)...].allSatisfy { $0 == 0 }
        )
        #expect(isWhole && isSilent)
        // 2048 frames do not resume playback, 6144 further frames do; no frame of the file is lost.
        push(4096..<6144)
        play(2)
        #expect(queue.pointee.missedFrames.load(ordering: .relaxed) == 32 + 4 * 512)
        push(6144..<12288)
        play(6)
        #expect(queue.pointee.underruns.load(ordering: .relaxed) == 1)
        #expect(queue.pointee.playedFrames == 14 * 512 - 32)
        let goesOn = heard[(14 * 512)...] == tone[(10 * 512 - 32)..<(14 * 512 - 32)]
        #expect(goesOn)
        #expect(roughness(heard) < 0.004)
    }

    @Test func gainRampsOverAPeriod() throws {
        let scratch = try Scratch()
        try tone(scratch("a.wav"), seconds: 1)
        let deck = Deck(try PlaybackReader([PlaylistEntry(scratch("a.wav"))], rate: .studio))
        var heard: [[Float]] = [[], []]
        for _ in 0..<20 { deck.play(512, live: false, into: &heard) }
        deck.reader.queue.pointee.gain.store(Float(0.5).bitPattern, ordering: .relaxed)
        for _ in 0..<20 { deck.play(512, live: false, into: &heard) }
        #expect(roughness(heard[0]) < 0.004)
        let i = heard[0].count - 1
        #expect(abs(heard[0][i] - 0.25 * Float(sin(2 * .pi * 440 * Double(i) / 48_000))) < 1e-6)
    }

    @Test func anotherRateIsConvertedAsWhole() throws {
        let scratch = try Scratch()
        let rate = try #require(SampleRate(hertz: 44_100))
        let block = PlanarBlock(channels: 1, frames: 44_100)
        for i in 0..<44_100 { block[0][i] = 0.5 * Float(sin(2 * .pi * 1000 * Double(i) / 44_100)) }
        let writer = try SoundFileWriter(path: scratch("a.wav"), channels: 1, sampleRate: rate)
        try writer.write(block, frames: 44_100)
        try writer.finish()
        let deck = Deck(try PlaybackReader([PlaylistEntry(scratch("a.wav"))], rate: .studio))
        var heard: [[Float]] = [[]]
        while !deck.reader.queue.pointee.hasEnded.load(ordering: .acquiring) {
            deck.play(1024, live: false, into: &heard)
        }
        for i in 2000..<46_000 {
            #expect(abs(heard[0][i] - 0.5 * Float(sin(2 * .pi * 1000 * Double(i) / 48_000))) < 1e-5)
        }
        #expect(deck.reader.position.length == 48_000)
    }
}
