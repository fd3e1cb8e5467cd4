import Foundation
import Signal
import SoundFixtures
import Takes
import Testing

@testable import AudioIO

/// A copy of a growing take stands for the file that a killed program leaves: the bytes are the same.
@Suite struct CutOffTakeTests {
    @Test(arguments: ["wav", "rf64", "bw64", "w64", "caf", "aiff", "flac"])
    func aTakeOpensAsFarAsItsHeaderWasBroughtAndIsRecovered(format: String) throws {
        let scratch = try Scratch()
        let path = scratch("ears." + format)
        let block = PlanarBlock(channels: 2, frames: 30_000)
        fillWithNoise(block)
        let writer = try SoundFileWriter(path: path, channels: 2, sampleRate: .studio, asTake: true)
        try writer.write(block, frames: 20_000)
        writer.refreshHeader()
        try writer.write(block, from: 20_000, frames: 10_000)
        let part = scratch("copy." + format + ".part")
        try FileManager.default.copyItem(atPath: path + ".part", toPath: part)
        // FLAC writes whole blocks. From W64 libsndfile reads all samples in the file, whatever length its header
        // states.
        let told = format == "flac" ? 4 * 4096 : format == "w64" ? 30_000 : 20_000
        #expect(try SoundFileReader(path: part).frameCount == told)

        let recovered = try CutOffTake.recover(part)
        #expect(recovered.path == scratch("copy-recovered." + format))
        let ears = try WholeSound.read(try #require(recovered.path))
        let frames = format == "flac" ? 6 * 4096 : told
        #expect(ears[0].count == frames && recovered.seconds == Double(frames) / 48_000)
        for ear in 0..<2 { #expect((0..<frames).allSatisfy { abs(ears[ear][$0] - block[ear][$0]) < 1e-6 }) }
        if format == "bw64" {
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: try #require(recovered.path))).prefix(4) == Data("BW64".utf8))
        }
        // The original take continues.
        #expect(try writer.finish() == path)
        #expect(try WholeSound.read(path)[0].count == 30_000)
        #expect(scratch.contents == ["copy-recovered." + format, "ears." + format])
    }

    @Test func aTextIsRecoveredUpToItsLastWholeLine() throws {
        let scratch = try Scratch()
        for _ in 0..<2 {
            try Data("t,w\n0,1\n1,0.5".utf8).write(to: URL(fileURLWithPath: scratch("a.csv.part")))
            #expect(CutOffTake.beside(scratch("a.csv")) == scratch("a.csv.part"))
            #expect(try CutOffTake.recover(scratch("a.csv.part")).seconds == nil)
        }
        #expect(scratch.contents == ["a-recovered-2.csv", "a-recovered.csv"])
        #expect(try String(contentsOfFile: scratch("a-recovered.csv"), encoding: .utf8) == "t,w\n0,1\n")
        #expect(CutOffTake.beside(scratch("a.csv")) == nil)
    }

    @Test func whatIsBeingRecordedOrIsNoTakeStaysAsItIs() throws {
        let scratch = try Scratch()
        let writer = try SoundFileWriter(path: scratch("a.wav"), channels: 2, sampleRate: .studio, asTake: true)
        #expect(throws: SoundFileError.beingRecorded(path: scratch("a.wav.part"))) {
            try CutOffTake.recover(scratch("a.wav.part"))
        }
        #expect(CutOffTake.beside(scratch("a.wav")) == nil)
        // Much data behind a header without a length is not a take of this program, and may be another program's sound.
        var foreign = try Data(contentsOf: URL(fileURLWithPath: scratch("a.wav.part")))
        foreign.append(Data(count: 1 << 18))
        try foreign.write(to: URL(fileURLWithPath: scratch("b.wav.part")))
        #expect(throws: SoundFileError.empty(path: scratch("b.wav.part"))) {
            try CutOffTake.recover(scratch("b.wav.part"))
        }
        try Data([0, 1, 2, 3]).write(to: URL(fileURLWithPath: scratch("c.part")))
        for wrong in ["c.part", "none.part"] {
            #expect(throws: SoundFileError.self) { try CutOffTake.recover(scratch(wrong)) }
        }
        #expect(scratch.contents == ["a.wav.part", "b.wav.part", "c.part"])
        writer.discard()
    }

    @Test func aNameWithoutPartIsRefusedForItsEnd() throws {
        let scratch = try Scratch()
        // The file itself is sound, which is no reason to convert it.
        let writer = try SoundFileWriter(path: scratch("a.wav"), channels: 2, sampleRate: .studio)
        try writer.finish()
        let error = #expect(throws: SoundFileError.notPart(path: scratch("a.wav"))) {
            try CutOffTake.recover(scratch("a.wav"))
        }
        let words = error?.description ?? ""
        #expect(words.contains("does not end in .part") && !words.contains("ffmpeg"), "\(words)")
        #expect(words.hasSuffix("mv \(scratch("a.wav")) \(scratch("a.wav.part"))"), "\(words)")
        #expect(scratch.contents == ["a.wav"])
    }

    /// In an earlier version an empty take blocked every later recording of the same name. (AIFF is left out:
    /// libsndfile reads the last bytes of its header as sound.)
    @Test(arguments: ["wav", "rf64", "bw64", "w64", "caf", "flac", "csv"])
    func aTakeThatNothingWasRecordedIntoIsRemoved(format: String) throws {
        let scratch = try Scratch()
        let part = scratch("b.\(format).part")
        if format == "csv" {
            try Data("t,w".utf8).write(to: URL(fileURLWithPath: part))
        } else {
            let writer = try SoundFileWriter(
                path: scratch("a." + format), channels: 2, sampleRate: .studio, asTake: true)
            try FileManager.default.copyItem(atPath: scratch("a.\(format).part"), toPath: part)
            writer.discard()
        }
        #expect(try CutOffTake.recover(part) == CutOffTake.Recovered(path: nil, seconds: nil))
        #expect(scratch.contents.isEmpty)
    }

    @Test func aTakeIsRefusedBeforeAnythingIsWrittenWhereItsNameIsTaken() throws {
        let scratch = try Scratch()
        let path = scratch("a.wav")
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: SoundFileError.exists(path: path)) {
            try SoundFileWriter(path: path, channels: 2, sampleRate: .studio, asTake: true)
        }
        let writer = try SoundFileWriter(path: path, channels: 2, sampleRate: .studio, asTake: true, replaces: true)
        try writer.write(PlanarBlock(channels: 2, frames: 100), frames: 100)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
        try writer.finish()
        #expect(try SoundFileReader(path: path).frameCount == 100)
        #expect(scratch.contents == ["a.wav"])
    }

    /// In an earlier version a recovered take had a channel mask of loudspeakers, and no mark of a sound field.
    @Test(arguments: ["wav", "rf64", "bw64", "w64", "caf", "aiff"], [(2, nil), (4, 1), (6, 1)] as [(Int, Int?)])
    func `A take that is cut off and recovered is the take that it would have been`(
        format: String, kind: (channels: Int, order: Int?)
    ) throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: kind.channels, frames: 10_000)
        fillWithNoise(block)
        func take(_ name: String) throws -> SoundFileWriter {
            let writer = try SoundFileWriter(
                path: scratch(name + "." + format), channels: kind.channels, sampleRate: .studio,
                encoding: kind.channels == 6 ? .pcm24 : nil, fieldOrder: kind.order,
                trackNames: kind.channels == 6 ? ["W", "Y", "Z", "X", "left", "right"] : [], asTake: true)
            try writer.write(block, frames: 10_000)
            writer.refreshHeader()
            return writer
        }
        let (whole, cut) = (try take("whole"), try take("cut"))
        try whole.finish()
        try FileManager.default.copyItem(
            atPath: scratch("cut.\(format).part"), toPath: scratch("killed.\(format).part"))
        cut.discard()
        let recovered = try #require(try CutOffTake.recover(scratch("killed.\(format).part")).path)
        let (expected, found) = (
            try Data(contentsOf: URL(fileURLWithPath: scratch("whole." + format))),
            try Data(contentsOf: URL(fileURLWithPath: recovered))
        )
        #expect(found == expected)
        let isWave = SoundFileFormat(path: "x." + format)?.isWave == true
        let isNamed = kind.channels == 6 && isWave
        #expect((found.range(of: Data("<NAME>right</NAME>".utf8)) != nil) == isNamed)
        let reader = try SoundFileReader(path: recovered)
        #expect((reader.header.model != nil) == (kind.order != nil && isWave))
        #expect(kind.channels == 2 || format == "aiff" || format == "caf" || reader.header.channelPositions == nil)
    }

    @Test func `An AIFF take whose size has wrapped keeps all its bytes`() throws {
        let scratch = try Scratch()
        let writer = try SoundFileWriter(path: scratch("a.aiff"), channels: 2, sampleRate: .studio, asTake: true)
        try writer.write(PlanarBlock(channels: 2, frames: 1000), frames: 1000)
        writer.refreshHeader()
        let part = scratch("b.aiff.part")
        try FileManager.default.copyItem(atPath: scratch("a.aiff.part"), toPath: part)
        writer.discard()
        let (frames, size) = (600_000_000, 4_800_000_000)
        let descriptor = open(part, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        do {
            defer { close(descriptor) }
            let chunks = try #require(FileChunks(descriptor: descriptor))
            let common = try #require(chunks["COMM"])
            let sound = try #require(chunks["SSND"])
            // The count of frames stands after that of the channels. The sound's size includes two numbers before it.
            for (place, number) in [(common.offset + 2, frames), (sound.offset - 4, size + 8)] {
                let bytes = chunks.bytes(of: number, count: 4)
                try #require(pwrite(descriptor, bytes, 4, off_t(place)) == 4)
            }
        }
        try #require(truncate(part, off_t(size)) == 0)
        let recovered = try #require(try CutOffTake.recover(part).path)
        let kept = try FileManager.default.attributesOfItem(atPath: recovered)[.size] as? Int
        #expect(kept == size)
    }

    @Test func `An AIFF take ends before its sizes wrap`() throws {
        let scratch = try Scratch()
        let writer = try SoundFileWriter(path: scratch("a.aiff"), channels: 2, sampleRate: .studio, asTake: true)
        let block = PlanarBlock(channels: 2, frames: 100)
        // The writer counts the frames as if as many had been written.
        writer.frameCount = (Int(UInt32.max) - (1 << 20)) / 8 - 150
        try writer.write(block, frames: 100)
        let error = #expect(throws: SoundFileError.self) { try writer.write(block, frames: 100) }
        guard case .stopped(_, _, _, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == "File too large")
        writer.discard()
    }

    @Test func `A recording that is finished is told from what is none`() throws {
        let scratch = try Scratch()
        let writer = try SoundFileWriter(path: scratch("a.wav"), channels: 2, sampleRate: .studio, asTake: true)
        try writer.write(PlanarBlock(channels: 2, frames: 48_000), frames: 48_000)
        try writer.finish()
        try Data("t,w\n0,1\n".utf8).write(to: URL(fileURLWithPath: scratch("a.csv")))
        try Data("t,w\n0,1".utf8).write(to: URL(fileURLWithPath: scratch("b.csv")))
        try Data([0, 1, 2]).write(to: URL(fileURLWithPath: scratch("c")))
        #expect(CutOffTake.whole(scratch("a.wav")) == .init(path: scratch("a.wav"), seconds: 1))
        #expect(CutOffTake.whole(scratch("a.csv")) == .init(path: scratch("a.csv"), seconds: nil))
        for none in ["b.csv", "c", "d"] { #expect(CutOffTake.whole(scratch(none)) == nil) }
        // Half of the file is not a whole take.
        truncate(scratch("a.wav"), 100_000)
        #expect(CutOffTake.whole(scratch("a.wav")) == nil)
    }
}
