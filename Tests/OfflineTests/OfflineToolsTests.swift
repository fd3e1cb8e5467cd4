import AudioIO
import Foundation
import Loading
import Metering
import Offline
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing

@Suite struct OfflineToolsTests {
    private static let sixChannels: [UInt32] = [1, 2, 4, 8, 0x200, 0x400]

    /// Writes seconds of `sample(channel, frame)`.
    private func write(
        _ path: String, positions: [UInt32]?, channels: Int, seconds: Double = 1,
        metadata: SoundFileMetadata = SoundFileMetadata(), sample: (Int, Int) -> Float
    ) throws {
        let frames = Int(seconds * 48_000)
        let block = PlanarBlock(channels: channels, frames: frames)
        for channel in 0..<channels { for i in 0..<frames { block[channel][i] = sample(channel, i) } }
        let writer = try SoundFileWriter(
            path: path, channels: channels, sampleRate: .studio, channelPositions: positions, metadata: metadata,
            replaces: true)
        try writer.write(block, frames: frames)
        try writer.finish()
    }

    private func noise(_ channel: Int, _ frame: Int) -> Float {
        var state = UInt64(channel + 1) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(frame) &* 0xD1B5_4A32_D192_ED03
        state ^= state >> 29
        state &*= 0xBF58_476D_1CE4_E5B9
        return Float(Int32(truncatingIfNeeded: state >> 31)) / Float(Int32.max) * 0.5
    }

    @Test func processPassesExistingLoudspeakersBitForBitAndKeepsTexts() throws {
        let folder = try Scratch()
        var texts = SoundFileMetadata()
        texts.texts = [.title: "Crossing", .artist: "Trio"]
        texts.markers = [.init(frame: 4800, name: "verse")]
        try write(folder("in.wav"), positions: Self.sixChannels, channels: 6, metadata: texts, sample: noise)
        let report = try OfflineSession.process(
            ProcessSettings(
                stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav"), target: "7.1.4"),
            progress: { _ in true })
        #expect(report.from == "5.1" && report.to == "7.1.4" && report.frames == 48_000 && report.remarks.isEmpty)
        let (before, after) = (try WholeSound.read(folder("in.wav")), try WholeSound.read(folder("out.wav")))
        // WAVE order: L R C LFE Lb Rb Ls Rs and heights.
        for (from, to) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 6), (5, 7)] { #expect(before[from] == after[to]) }
        for silent in [4, 5, 8, 9, 10, 11] { #expect(after[silent].allSatisfy { $0 == 0 }) }
        #expect(try SoundFileReader(path: folder("out.wav")).metadata == texts)
    }

    @Test func theStereoFoldDownIsBS775() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), positions: Self.sixChannels, channels: 6, sample: noise)
        _ = try OfflineSession.process(
            ProcessSettings(
                stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav"), target: "stereo"),
            progress: { _ in true })
        let (x, y) = (try WholeSound.read(folder("in.wav")), try WholeSound.read(folder("out.wav")))
        let half = Float(0.5).squareRoot()
        for i in 0..<48_000 {
            #expect(abs(y[0][i] - (x[0][i] + half * x[2][i] + half * x[4][i])) < 1e-6)
            #expect(abs(y[1][i] - (x[1][i] + half * x[2][i] + half * x[5][i])) < 1e-6)
        }
    }

    @Test func fullScaleSquaresEverywhereAreFittedAndElseToldToBeCut() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), positions: Self.sixChannels, channels: 6) { _, i in i / 48 % 2 == 0 ? 1 : -1 }
        func run(fits: Bool) throws -> ProcessReport {
            try OfflineSession.process(
                ProcessSettings(
                    stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav"), target: "stereo",
                    written: OutputChoice(bits: .pcm16, decide: OutputChoice.replacing.decide), fits: fits),
                progress: { _ in true })
        }
        let cut = try run(fits: false)
        #expect(cut.clipped && cut.beyondFullScale == 96_000 && abs(cut.peak - 7.656) < 0.01)
        #expect(cut.lines.contains { $0.contains("CLIPPED") })
        let fitted = try run(fits: true)
        #expect(!fitted.clipped && abs(fitted.gain + 7.666) < 0.01)
        #expect(try WholeSound.read(folder("out.wav")).allSatisfy { $0.allSatisfy { abs($0) <= 1 } })
    }

    @Test func offsetsPassAndSamplesThatAreNoNumbersAreSilencedAndCounted() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), positions: Self.sixChannels, channels: 6) { channel, i in
            i == 100 && channel == 0 ? .nan : i == 200 && channel == 4 ? -.infinity : 0.25
        }
        let report = try OfflineSession.process(
            ProcessSettings(stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav"), target: "5.1"),
            progress: { _ in true })
        #expect(report.nonFiniteSamples == 2 && report.lines.contains { $0.hasPrefix("2 input samples") })
        let out = try WholeSound.read(folder("out.wav"))
        #expect(out[0][100] == 0 && out[4][200] == 0 && out[0][101] == 0.25 && out[5][200] == 0.25)
    }

    @Test func workThatIsStoppedLeavesNothingBehind() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), positions: Self.sixChannels, channels: 6, seconds: 2, sample: noise)
        #expect(throws: SessionError.self) {
            try OfflineSession.process(
                ProcessSettings(
                    stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav"), target: "stereo"),
                progress: { $0 < 0.3 })
        }
        for limit in [0.1, 0.4, 0.6, 0.9] {
            #expect(throws: SessionError.self) {
                try OfflineSession.bake(
                    BakeSettings(stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav")),
                    progress: { $0 < limit })
            }
        }
        #expect(folder.contents == ["in.wav"])
    }

    @Test func bakeKeepsChannelsParametersAndAFoldDownThatDoesNotClip() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), positions: Self.sixChannels, channels: 6, seconds: 4) { 1.6 * noise($0, $1) }
        let report = try OfflineSession.bake(
            BakeSettings(
                stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav"),
                dynamics: DynamicsSettings(dialnorm: -27, profile: .filmStandard),
                content: .av, changes: [ParameterChange("place", ["20"])]), progress: { _ in true })
        #expect(folder.contents == ["in.wav", "out.stereo.wav", "out.stereo.wav.json", "out.wav", "out.wav.json"])
        #expect(try WholeSound.read(folder("out.wav")) == WholeSound.read(folder("in.wav")))
        let stereo = try #require(report.stereo)
        #expect(stereo.gain < 0)
        // When measured again, the files have the values of their parameters.
        for (file, loudness, peak) in [
            ("out.wav", report.loudness.integrated, report.loudness.truePeak),
            ("out.stereo.wav", stereo.loudness, stereo.truePeak),
        ] {
            let found = try LoudnessMeasurement(
                file: folder(file), stage: StageSettings(), order: nil, progress: { _ in true }
            ).loudness
            #expect(abs(try #require(found.integrated) - #require(loudness)) < 0.02)
            #expect(abs(try #require(found.truePeak) - #require(peak)) < 0.02)
        }
        #expect(abs(try #require(stereo.truePeak) + 1) < 0.02)
        let json = try String(contentsOfFile: folder("out.wav.json"), encoding: .utf8)
        for words in ["\"dialnorm\" : -27", "\"drc\" : \"film-standard\"", "\"layout\" : \"5.1\"", "\"yaw\" : 20"] {
            #expect(json.contains(words), "\(words)")
        }
    }

    @Test(arguments: [nil, SampleEncoding.pcm16]) func samplesWithoutAHeaderAreBaked(_ bits: SampleEncoding?) throws {
        let folder = try Scratch()
        try write(folder("in.wav"), positions: Self.sixChannels, channels: 6, sample: noise)
        _ = try OfflineSession.bake(
            BakeSettings(
                stage: StageSettings(), input: folder("in.wav"), output: folder("out.raw"),
                written: OutputChoice(format: .raw, bits: bits)), progress: { _ in true })
        // The metadata describe the sound of the file, which would be refused otherwise.
        let raw = RawSound(sampleRate: .studio, channels: 6, encoding: bits ?? .float32)
        let programme = try InputProgramme(
            folder("out.raw"), StageSettings(), order: nil, reading: ReadingChoice(raw: raw))
        #expect(programme.layout.name == "5.1" && programme.metadata?.sound?.frames == 48_000)
    }

    /// The name of a fold-down may be that of the input only if no fold-down is written.
    @Test func theFoldDownsNameCountsWhereOneIsWritten() throws {
        let folder = try Scratch()
        try write(folder("two.stereo.wav"), positions: [1, 2], channels: 2, sample: noise)
        try write(folder("six.stereo.wav"), positions: Self.sixChannels, channels: 6, sample: noise)
        func bake(_ name: String) throws -> BakeReport {
            try OfflineSession.bake(
                BakeSettings(
                    stage: StageSettings(), input: folder(name + ".stereo.wav"), output: folder(name + ".wav")),
                progress: { _ in true })
        }
        #expect(try bake("two").stereo == nil)
        #expect(try WholeSound.read(folder("two.wav")) == WholeSound.read(folder("two.stereo.wav")))
        let error = #expect(throws: SessionError.self) { try bake("six") }
        #expect(error?.remedy == Remedy("--stereo", folder("six.stereo-2.wav")))
    }

    @Test func whatIntegersClipIsToldAndMeasuredAsWritten() throws {
        let folder = try Scratch()
        try write(folder("six.wav"), positions: Self.sixChannels, channels: 6) { _, i in i / 48 % 2 == 0 ? 2 : -2 }
        try write(folder("two.wav"), positions: [1, 2], channels: 2) { _, i in i / 48 % 2 == 0 ? 2 : -2 }
        let baked = try OfflineSession.bake(
            BakeSettings(
                stage: StageSettings(), input: folder("six.wav"), output: folder("out.wav"),
                written: OutputChoice(bits: .pcm24)), progress: { _ in true })
        #expect(baked.clipped && baked.beyondFullScale == 288_000)
        #expect(baked.lines.contains { $0.contains("CLIPPED: 288000 samples") }, "\(baked.lines)")
        let known = try #require(try ProgrammeMetadata.beside(file: folder("out.wav")))
        let found = try LoudnessMeasurement(
            file: folder("out.wav"), stage: StageSettings(), order: nil, progress: { _ in true }
        ).loudness
        #expect(abs(try #require(found.integrated) - #require(known.loudness)) < 0.02)
        #expect(abs(try #require(found.truePeak) - #require(known.truePeak)) < 0.02)
        var settings = UpmixSettings(input: folder("two.wav"), output: folder("upmixed.wav"))
        settings.upmix.mode = .energy
        settings.written = OutputChoice(bits: .pcm24)
        let upmixed = try OfflineSession.upmix(settings, progress: { _ in true })
        #expect(upmixed.clipped && upmixed.lines.contains { $0.contains("CLIPPED") }, "\(upmixed.lines)")
    }

    /// The metadata of a master are read, whatever was measured.
    @Test func metadataOfLoudAndOfShortSoundAreRead() throws {
        let folder = try Scratch()
        let positions = try Layout.named("7.1.4").loudspeakers.compactMap(\.waveMask)
        try write(folder("loud.wav"), positions: positions, channels: 12) { _, i in
            Float(sin(2 * .pi * 1000 * Double(i) / 48_000))
        }
        try write(folder("short.wav"), positions: Self.sixChannels, channels: 6, seconds: 0.3, sample: noise)
        for name in ["loud", "short"] {
            let report = try OfflineSession.bake(
                BakeSettings(
                    stage: StageSettings(), input: folder(name + ".wav"), output: folder(name + "-master.wav"),
                    dynamics: DynamicsSettings(profile: .filmStandard)), progress: { _ in true })
            for file in [name + "-master.wav", name + "-master.stereo.wav"] {
                let programme = try InputProgramme(folder(file), StageSettings(), order: nil)
                let known = try #require(programme.metadata)
                #expect((known.loudness != nil) == (name == "loud") && (known.drc != nil) == (name == "loud"))
                _ = try DynamicsPlan(DynamicsSettings(), metadata: known)
            }
            #expect(report.remarks.contains { $0.contains("drc is left out") } == (name == "short"))
        }
        #expect(try ProgrammeMetadata.beside(file: folder("loud-master.wav"))?.loudness ?? 0 > 5)
    }

    /// Metadata that describe another sound than the file contains now do not set its loudness.
    @Test func metadataOfOtherSoundAreRefusedUntilTheyAreMeasuredAnew() throws {
        let folder = try Scratch()
        for (seconds, frames) in [(1.0, 48_000), (8, 384_000)] {
            try write(folder("in.wav"), positions: [1, 2], channels: 2, seconds: seconds) { 0.003 * noise($0, $1) }
            try write(folder("loud.wav"), positions: [1, 2], channels: 2, seconds: seconds) { 0.006 * noise($0, $1) }
            _ = try OfflineSession.bake(
                BakeSettings(
                    stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav"), written: .replacing,
                    dynamics: DynamicsSettings(dialnorm: -27)), progress: { _ in true })
            func opened() throws -> ProgrammeMetadata? {
                try InputProgramme(folder("out.wav"), StageSettings(), order: nil).metadata
            }
            let known = try #require(try opened())
            #expect(known.sound?.frames == frames && known.dialnorm == -27)
            // The given dialogue level applies, and the file is brought to −31.
            #expect(try DynamicsPlan(DynamicsSettings(), metadata: known).normalisation == -4)
            // The same samples in another format are the same sound.
            #expect(try ProgrammeMetadata.Sound(of: SoundFileReader(path: folder("in.wav"))) == known.sound)
            _ = try OfflineSession.process(
                ProcessSettings(
                    stage: StageSettings(), input: folder("loud.wav"), output: folder("out.wav"), target: "stereo",
                    written: .replacing),
                progress: { _ in true })
            let error = #expect(throws: SessionError.self) { try opened() }
            #expect(error?.description.contains("loudness --save \(folder("out.wav"))") == true)
            let uses = try SoundDescription(folder("out.wav")).uses
            let refused = uses.filter(\.isRefused).map(\.command)
            #expect(Set(["render", "process", "bake"]).isSubset(of: refused))
            let measured = try LoudnessMeasurement(
                file: folder("out.wav"), stage: StageSettings(), order: nil, progress: { _ in true })
            _ = try measured.save()
            #expect(abs(try #require(try opened()?.loudness) - #require(known.loudness) - 6.02) < 0.02)
        }
    }

    @Test func aFileThatWasCutOffIsToldWhereverItIsRead() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), positions: Self.sixChannels, channels: 6, sample: noise)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder("in.wav")))
        try whole.dropLast(24 * 24_000).write(to: URL(fileURLWithPath: folder("in.wav")))
        let report = try OfflineSession.process(
            ProcessSettings(stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav"), target: "mono"),
            progress: { _ in true })
        #expect(report.frames == 24_000)
        #expect(report.remarks.contains { $0.contains("0.500 s of the 1.000 s") }, "\(report.remarks)")
    }

    @Test func whatAFormatCannotHoldIsSaid() throws {
        let folder = try Scratch()
        var texts = SoundFileMetadata()
        texts.markers = [.init(frame: 10)]
        try write(folder("in.wav"), positions: Self.sixChannels, channels: 6, metadata: texts, sample: noise)
        let report = try OfflineSession.process(
            ProcessSettings(stage: StageSettings(), input: folder("in.wav"), output: folder("out.flac"), target: "5.1"),
            progress: { _ in true })
        #expect(report.remarks.contains { $0.contains("flac cannot store 1 markers") }, "\(report.remarks)")
        #expect(throws: SessionError.self) {
            try OfflineSession.process(
                ProcessSettings(
                    stage: StageSettings(), input: folder("in.wav"), output: folder("o2.flac"), target: "7.1.4"),
                progress: { _ in true })
        }
        #expect(!folder.contents.contains("o2.flac"))
    }
}
