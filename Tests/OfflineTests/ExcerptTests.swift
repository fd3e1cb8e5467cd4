import AudioIO
import Foundation
import Loading
import Metering
import Offline
import Rendering
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing

/// Sections of files: the same samples as the whole output, cut afterwards.
@Suite struct ExcerptTests {
    /// An odd count: neither blocks nor slices divide it.
    private static let frames = 30_011
    /// Times that begin and end within blocks.
    private static let excerpt = Excerpt(from: 0.2001, until: 0.5003)
    private static let section = 9605..<24_014

    private func write(_ path: String, channels: Int, metadata: SoundFileMetadata = SoundFileMetadata()) throws {
        let block = PlanarBlock(channels: channels, frames: Self.frames)
        for channel in 0..<channels {
            let noise = WhiteNoise.samples(Self.frames, seed: UInt64(7 + channel))
            for (i, sample) in noise.enumerated() { block[channel][i] = 4 * sample }
        }
        let writer = try SoundFileWriter(
            path: path, channels: channels, sampleRate: .studio,
            channelPositions: channels == 6 ? [1, 2, 4, 8, 0x200, 0x400] : channels == 2 ? [1, 2] : nil,
            metadata: metadata)
        try writer.write(block, frames: Self.frames)
        try writer.finish()
    }

    private func cut(_ path: String, _ section: Range<Int>) throws -> [[Float]] {
        try WholeSound.read(path).map { Array($0[section]) }
    }

    @Test(arguments: [
        ("stereo", FoldSettings(), Dither.none, SampleEncoding.float32, true),
        ("stereo", FoldSettings(kind: .ltrt), .none, .float32, false),
        ("7.1.4", FoldSettings(), .tpdf, .pcm16, false),
        ("stereo", FoldSettings(), .shaped, .pcm16, false),
        ("ambi3", FoldSettings(), .none, .pcm24, true),
    ])
    func processedSectionsAreThoseOfTheWhole(
        _ target: String, _ fold: FoldSettings, _ dither: Dither, _ bits: SampleEncoding, _ fits: Bool
    ) throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: 6)
        func run(_ name: String, _ excerpt: Excerpt) throws -> ProcessReport {
            try OfflineSession.process(
                ProcessSettings(
                    stage: StageSettings(), input: folder("in.wav"), output: folder(name), target: target,
                    written: OutputChoice(bits: bits, dither: dither), fold: fold, fits: fits, excerpt: excerpt),
                progress: { _ in true })
        }
        _ = try run("whole.wav", Excerpt())
        let report = try run("cut.wav", Self.excerpt)
        #expect(report.frames == Self.section.count)
        #expect(try WholeSound.read(folder("cut.wav")) == cut(folder("whole.wav"), Self.section))
        _ = try run("end.wav", Excerpt(from: 0.2001))
        #expect(try WholeSound.read(folder("end.wav")) == cut(folder("whole.wav"), 9605..<Self.frames))
        _ = try run("long.wav", Excerpt(duration: 0.1))
        #expect(try WholeSound.read(folder("long.wav")) == cut(folder("whole.wav"), 0..<4800))
    }

    @Test func upmixedSectionsAreThoseOfTheWhole() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: 2)
        func run(_ name: String, _ excerpt: Excerpt) throws {
            var settings = UpmixSettings(input: folder("in.wav"), output: folder(name))
            settings.upmix.mode = .energy
            settings.excerpt = excerpt
            _ = try OfflineSession.upmix(settings, progress: { _ in true })
        }
        try run("whole.wav", Excerpt())
        try run("cut.wav", Self.excerpt)
        #expect(try WholeSound.read(folder("cut.wav")) == cut(folder("whole.wav"), Self.section))
    }

    @Test func renderedSectionsAreThoseOfTheWholeAndTheLastKeepsItsTail() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: 6)
        func run(_ name: String, _ excerpt: Excerpt) throws {
            var stage = StageSettings(hrtf: "generated")
            stage.choices.limiter = .lookahead
            _ = try OfflineSession.render(
                RenderSettings(
                    stage: stage, input: folder("in.wav"), output: folder(name), yaw: 30, block: 1000, excerpt: excerpt),
                progress: { _ in true })
        }
        try run("whole.wav", Excerpt())
        let whole = try WholeSound.read(folder("whole.wav"))
        #expect(whole[0].count > Self.frames)
        try run("cut.wav", Self.excerpt)
        #expect(try WholeSound.read(folder("cut.wav")) == whole.map { Array($0[Self.section]) })
        try run("end.wav", Excerpt(from: 0.2001))
        #expect(try WholeSound.read(folder("end.wav")) == whole.map { Array($0[9605...]) })
        try run("beginning.wav", Excerpt(until: 0.2))
        #expect(try WholeSound.read(folder("beginning.wav")) == whole.map { Array($0[..<9600]) })
    }

    @Test func bakedSectionsHaveTheGainOfTheWholeAndFiguresOfTheirOwn() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: 6)
        func run(_ name: String, _ excerpt: Excerpt) throws -> BakeReport {
            try OfflineSession.bake(
                BakeSettings(
                    stage: StageSettings(), input: folder("in.wav"), output: folder(name), excerpt: excerpt),
                progress: { _ in true })
        }
        let whole = try run("whole.wav", Excerpt())
        let part = try run("cut.wav", Self.excerpt)
        #expect(part.stereo?.gain == whole.stereo?.gain && part.frames == Self.section.count)
        for name in ["wav", "stereo.wav"] {
            #expect(try WholeSound.read(folder("cut." + name)) == cut(folder("whole." + name), Self.section))
            // The figures are those of the file as it was written, which is read as its own metadata describe it.
            let measured = try LoudnessMeasurement(
                file: folder("cut." + name), stage: StageSettings(), order: nil, progress: { _ in true })
            let known = try #require(try ProgrammeMetadata.beside(file: folder("cut." + name)))
            #expect(abs(try #require(known.truePeak) - #require(measured.loudness.truePeak)) < 0.02)
            #expect(known.sound?.frames == Self.section.count)
        }
    }

    @Test func theLoudnessOfASectionIsThatOfTheCutFile() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: 2)
        func measure(_ name: String, _ excerpt: Excerpt = Excerpt()) throws -> LoudnessMeasurement {
            try LoudnessMeasurement(
                file: folder(name), stage: StageSettings(), order: nil, excerpt: excerpt, progress: { _ in true })
        }
        _ = try OfflineSession.process(
            ProcessSettings(
                stage: StageSettings(), input: folder("in.wav"), output: folder("cut.wav"), target: "stereo",
                excerpt: Excerpt(from: 0.05, duration: 0.5)), progress: { _ in true })
        let part = try measure("in.wav", Excerpt(from: 0.05, duration: 0.5))
        #expect(part.frames == 24_000)
        #expect(try part.loudness.integrated == measure("cut.wav").loudness.integrated)
        #expect(try part.loudness.truePeak == measure("cut.wav").loudness.truePeak)
    }

    @Test func markersMoveWithTheSection() throws {
        let folder = try Scratch()
        var metadata = SoundFileMetadata()
        metadata.markers = [
            .init(frame: 100, name: "before"), .init(frame: 9605, name: "first"), .init(frame: 24_013, name: "last"),
            .init(frame: 24_014, name: "after"),
        ]
        try write(folder("in.wav"), channels: 2, metadata: metadata)
        _ = try OfflineSession.process(
            ProcessSettings(
                stage: StageSettings(), input: folder("in.wav"), output: folder("cut.wav"), target: "stereo",
                excerpt: Self.excerpt), progress: { _ in true })
        #expect(
            try SoundFileReader(path: folder("cut.wav")).metadata.markers
                == [.init(frame: 0, name: "first"), .init(frame: 14_408, name: "last")])
    }

    @Test(arguments: [
        (Excerpt(from: 1), "--from lies at 1.0 s, and"), (Excerpt(until: 0.7), "--until lies at 0.7 s, and"),
        (Excerpt(from: 0.5, duration: 0.2), "the end of --duration lies at 0.7 s, and"),
        (Excerpt(from: 30_011.0 / 48_000), "is the end of"),
        (Excerpt(from: 0.1, until: 0.100001), "shorter than a frame"),
        (Excerpt(from: 1e300), "--from lies at 1e+300 s, and"),
    ])
    func sectionsThatTheFileLacksAreRefused(_ excerpt: Excerpt, _ reason: String) throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: 2)
        let error = try #require(throws: SessionError.self) {
            try OfflineSession.process(
                ProcessSettings(
                    stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav"), target: "stereo",
                    excerpt: excerpt), progress: { _ in true })
        }
        #expect(error.description.contains(reason) && error.description.contains("\n") == false)
        #expect(folder.contents == ["in.wav"])
    }
}
