import AudioIO
import Foundation
import Offline
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing

/// Files folded down by choice, and decoded again; channels in other orders than a channel mask's.
@Suite struct FoldDownFileTests {
    private let folder: Scratch

    init() throws {
        folder = try Scratch()
        // Each channel of 5.1 and of 7.1 has a different tone.
        for (name, channels) in [("five.wav", 6), ("seven.wav", 8)] {
            let layout = try Layout.named(channels == 6 ? "5.1" : "7.1").ordered(.wave)
            try write(
                name, tones: Array(0..<channels), positions: layout.loudspeakers.compactMap(\.waveMask))
        }
    }

    /// Writes two seconds with the tone of a number in each channel.
    private func write(_ name: String, tones: [Int], positions: [UInt32]? = nil) throws {
        let block = PlanarBlock(channels: tones.count, frames: 96_000)
        for (channel, tone) in tones.enumerated() {
            for i in 0..<96_000 {
                block[channel][i] = Float(0.1 * sin(2 * .pi * Double(300 + 900 * tone) * Double(i) / 48_000))
            }
        }
        let writer = try SoundFileWriter(
            path: folder(name), channels: tones.count, sampleRate: .studio, channelPositions: positions)
        try writer.write(block, frames: 96_000)
        try writer.finish()
    }

    private func process(
        _ input: String, _ output: String, to target: String?, _ change: (inout ProcessSettings) -> Void = { _ in }
    ) throws -> ProcessReport {
        var settings = ProcessSettings(
            stage: StageSettings(), input: folder(input), output: folder(output), target: target)
        change(&settings)
        return try OfflineSession.process(settings, progress: { _ in true })
    }

    private func bake(_ fold: FoldSettings) throws -> BakeReport {
        let settings = BakeSettings(
            stage: StageSettings(), input: folder("five.wav"), output: folder("baked.wav"), fold: fold)
        return try OfflineSession.bake(settings, progress: { _ in true })
    }

    /// Returns the level of a channel's tone in a sound, dB relative to its level in the input.
    private func level(_ sound: [Float], ofTone channel: Int) -> Double {
        let hertz = Double(300 + 900 * channel)
        var (a, b) = (0.0, 0.0)
        // Whole periods of every tone.
        for i in 24_000..<72_000 {
            a += Double(sound[i]) * cos(2 * .pi * hertz * Double(i) / 48_000)
            b += Double(sound[i]) * sin(2 * .pi * hertz * Double(i) / 48_000)
        }
        return 10 * log10((a * a + b * b) * 4 / (48_000.0 * 48_000 * 0.01) + 1e-20)
    }

    @Test func levelsAreThoseAskedForAndAreSaid() throws {
        let choice = FoldChoice(centre: Decibels(-6), surround: Decibels(-9))
        let report = try process("five.wav", "lo.wav", to: "stereo") { $0.fold.levels = choice }
        #expect(report.fold == "Lo/Ro with centre at -6.0 dB, surrounds at -9.0 dB")
        let left = try WholeSound.read(folder("lo.wav"))[0]
        for (tone, wanted) in [(0, 0.0), (2, -6), (4, -9)] { #expect(abs(level(left, ofTone: tone) - wanted) < 0.01) }
        for silent in [1, 3, 5] { #expect(level(left, ofTone: silent) < -120) }
    }

    @Test func sidesAndBacksShareOnePairByAmplitude() throws {
        _ = try process("seven.wav", "five-of-seven.wav", to: "5.1") { $0.fold.levels.surroundSum = .amplitude }
        // WAVE order of 7.1: backs before sides.
        let left = try WholeSound.read(folder("five-of-seven.wav"))[4]
        for tone in [4, 6] { #expect(abs(level(left, ofTone: tone) + 6.02) < 0.01) }
    }

    @Test(arguments: UpmixLatency.allCases)
    func ltrtIsDecodedByItsMetadata(_ latency: UpmixLatency) throws {
        let baked = try bake(FoldSettings(kind: .ltrt))
        #expect(baked.stereo?.kind == "fold-down as Lt/Rt, surrounds turned by 90°")
        let path = folder("baked.stereo.wav")
        #expect(try ProgrammeMetadata.beside(file: path)?.encoding == .ltrt)
        let report = try process("baked.stereo.wav", "again.wav", to: "5.1") {
            $0.upmix.mode = .identity
            $0.upmix.followsMetadata = true
            $0.upmix.latency = latency
        }
        #expect(report.upmix == "upmixed to 5.1, matrix, \(latency.rawValue)")
        #expect(report.remarks.contains("decoded as Lt/Rt by its metadata"))
        // The tones lie in different bins, so each is decoded alone.
        let again = try WholeSound.read(folder("again.wav"))
        for channel in [0, 1, 2, 4, 5] {
            for tone in [0, 1, 2, 4, 5] {
                let found = level(again[channel], ofTone: tone)
                #expect(tone == channel ? abs(found) < 1.5 : found < -20, "tone \(tone) in channel \(channel)")
            }
        }
    }

    @Test func whatItsMetadataCallLtRtIsSaidWhereItIsNotDecoded() throws {
        _ = try bake(FoldSettings(kind: .ltrt))
        let report = try process("baked.stereo.wav", "again.wav", to: "5.1") { $0.upmix.mode = .energy }
        #expect(report.remarks.contains { $0.contains("--upmix matrix decodes it") })
    }

    /// The loudspeakers decide what is encoded, not the layout's name.
    @Test func ltrtIsThatOfTheLoudspeakersInAnyOrder() throws {
        func encoded(_ input: String, _ layout: String? = nil) throws -> [[Float]] {
            let output = input + ".ltrt.wav"
            _ = try process(input, output, to: "stereo") {
                $0.stage.layout = layout
                $0.fold = FoldSettings(kind: .ltrt)
            }
            return try WholeSound.read(folder(output))
        }
        let usual = try encoded("five.wav")
        try write("five.caf", tones: [0, 2, 1, 4, 5, 3], positions: [1, 4, 2, 0x200, 0x400, 8])
        let other = try encoded("five.caf")
        for side in 0..<2 {
            #expect(usual[side].count == other[side].count)
            #expect(zip(usual[side], other[side]).allSatisfy { abs($0 - $1) < 1e-6 })
        }
        let loudspeakers = [("FC", 0), ("FL", 30), ("FR", -30)].map { name, azimuth in
            #"{ "name": "\#(name)", "azimuth": \#(azimuth) }"#
        }
        try #"{ "name": "5.1", "loudspeakers": [\#(loudspeakers.joined(separator: ", "))] }"#
            .write(toFile: folder("three.json"), atomically: true, encoding: .utf8)
        try write("three.wav", tones: [0, 1, 2], positions: [1, 2, 4])
        let left = try encoded("three.wav", folder("three.json"))[0]
        for (tone, wanted) in [(0, 0.0), (2, -3.01)] { #expect(abs(level(left, ofTone: tone) - wanted) < 0.01) }
        #expect(level(left, ofTone: 1) < -100)
    }

    @Test func choicesThatSayNothingAreRefused() {
        func refusal(_ input: String, _ target: String, _ fold: FoldSettings) -> String {
            do {
                _ = try process(input, "x.wav", to: target) { $0.fold = fold }
                return ""
            } catch { return "\(error)" }
        }
        #expect(refusal("five.wav", "mono", FoldSettings(kind: .ltrt)).contains("give --to stereo, not mono"))
        let levels = FoldChoice(centre: Decibels(-3))
        #expect(refusal("five.wav", "stereo", FoldSettings(kind: .ltrt, levels: levels)).contains("the matrix's"))
        #expect(
            refusal("seven.wav", "5.1", FoldSettings(levels: levels)).contains("stereo, lcr, 3.1 or mono, not to 5.1"))
    }

    /// A set of loudspeakers without a name is described by the file's mask, not by its metadata.
    @Test func aMasterOfASetWithoutANameCanBeReadAgain() throws {
        let block = PlanarBlock(channels: 4, frames: 9600)
        for channel in 0..<4 { for i in 0..<9600 { block[channel][i] = Float(i % 100) / 1000 } }
        // Left, right, centre, back centre.
        let writer = try SoundFileWriter(
            path: folder("four.wav"), channels: 4, sampleRate: .studio, channelPositions: [1, 2, 4, 0x100])
        try writer.write(block, frames: 9600)
        try writer.finish()
        let settings = BakeSettings(stage: StageSettings(), input: folder("four.wav"), output: folder("master.wav"))
        _ = try OfflineSession.bake(settings, progress: { _ in true })
        #expect(try process("master.wav", "again.wav", to: "stereo").frames == 9600)
    }

    /// Left and right of centre are no channels of a named layout, and have bits in the mask.
    @Test func aMasterOfRareLoudspeakersSaysThem() throws {
        let front: [UInt32] = [1, 2, 0x40, 0x80, 0x200, 0x400]
        try write("front.wav", tones: Array(0..<6), positions: front)
        let settings = BakeSettings(stage: StageSettings(), input: folder("front.wav"), output: folder("master.wav"))
        let report = try OfflineSession.bake(settings, progress: { _ in true })
        #expect(try SoundFileReader(path: folder("master.wav")).channelPositions == front)
        let again = try InputProgramme(folder("master.wav"), StageSettings(), order: nil)
        #expect(again.layout.name == report.layout && !report.remarks.contains { $0.contains("does not say") })
        #expect(try WholeSound.read(folder("master.wav")) == WholeSound.read(folder("front.wav")))
    }

    /// Loudspeakers that only a layout file names keep its order, and the report names the option to read the output
    /// with.
    @Test func aMasterOfALayoutFileKeepsItsOrder() throws {
        let loudspeakers = [("talkback", 90), ("FL", 30), ("FR", -30)].map { name, azimuth in
            #"{ "name": "\#(name)", "azimuth": \#(azimuth) }"#
        }
        try #"{ "name": "booth", "loudspeakers": [\#(loudspeakers.joined(separator: ", "))] }"#
            .write(toFile: folder("booth.json"), atomically: true, encoding: .utf8)
        try writeLayout("own.json")
        try write("three.wav", tones: [0, 1, 2])
        try write("six.wav", tones: Array(0..<6))
        for (input, layout, output) in [("three.wav", "booth.json", "a.wav"), ("six.wav", "own.json", "b.w64")] {
            let settings = BakeSettings(
                stage: StageSettings(layout: folder(layout)), input: folder(input), output: folder(output))
            let report = try OfflineSession.bake(settings, progress: { _ in true })
            #expect(try WholeSound.read(folder(output)) == WholeSound.read(folder(input)))
            #expect(report.remarks.contains { $0.contains("--layout \(folder(layout))") }, "\(report.remarks)")
        }
    }

    /// The output has the order that its container can express.
    @Test(arguments: [("film.wav", "out.wav"), ("film.wav", "out.flac"), ("vorbis.ogg", "out.wav")])
    func channelsKeepTheirLoudspeakersWithoutALayout(_ input: String, _ output: String) throws {
        let five: [UInt32] = [1, 2, 4, 8, 0x200, 0x400]
        // Film order: left, centre, right, surrounds, LFE.
        try write("film.wav", tones: [0, 2, 1, 4, 5, 3])
        try write("vorbis.ogg", tones: Array(0..<6), positions: five)
        _ = try process(input, output, to: nil) { $0.order = .film }
        let found = try #require(try SoundFileReader(path: folder(output)).channelPositions)
        #expect(output.hasSuffix(".flac") ? found == [1, 2, 4, 8, 0x10, 0x20] : found == five)
        let centre = try WholeSound.read(folder(output))[2]
        #expect(abs(level(centre, ofTone: 2)) < 1)
        for tone in [0, 1, 4, 5] { #expect(level(centre, ofTone: tone) < -20, "tone \(tone)") }
    }

    /// Writes a layout file with the loudspeakers of 5.1, sides before the LFE.
    private func writeLayout(_ name: String) throws {
        let loudspeakers = [("FL", 30), ("FR", -30), ("FC", 0), ("SL", 110), ("SR", -110)].map { name, azimuth in
            #"{ "name": "\#(name)", "azimuth": \#(azimuth) }, "#
        }
        try #"{ "name": "own", "loudspeakers": [\#(loudspeakers.joined()){ "name": "LFE", "lfe": true }] }"#
            .write(toFile: folder(name), atomically: true, encoding: .utf8)
    }

    /// The order of a layout file applies if neither the sound file nor the user gives another.
    @Test func aLayoutFileNamesTheChannelsInItsOrder() throws {
        try writeLayout("own.json")
        try write("plain.wav", tones: Array(0..<6))
        try write("masked.wav", tones: [0, 1, 2, 5, 3, 4], positions: [1, 2, 4, 8, 0x200, 0x400])
        try write("smpte.wav", tones: [0, 1, 2, 5, 3, 4])
        let orders: [(String, ChannelOrder?)] = [("plain.wav", nil), ("masked.wav", nil), ("smpte.wav", .smpte)]
        for (input, order) in orders {
            _ = try process(input, input + ".lo.wav", to: "stereo") {
                $0.stage.layout = folder("own.json")
                $0.order = order
            }
            let sides = try WholeSound.read(folder(input + ".lo.wav"))
            // The centre is in both channels, a surround in that of its side, the LFE in none.
            for (tone, left, right) in [(2, true, true), (3, true, false), (4, false, true), (5, false, false)] {
                for (side, isThere) in [(0, left), (1, right)] {
                    let found = level(sides[side], ofTone: tone)
                    #expect(isThere ? abs(found + 3.01) < 0.01 : found < -100, "\(input), tone \(tone): \(found)")
                }
            }
        }
    }

    @Test func ditherIsForWholeNumbersAndShapedForTwoRates() throws {
        func refusal(_ written: OutputChoice) -> String {
            do {
                _ = try process("five.wav", "x.wav", to: "stereo") { $0.written = written }
                return ""
            } catch { return "\(error)" }
        }
        #expect(refusal(OutputChoice(dither: .tpdf)).contains("not 32f: give --bits"))
        #expect(refusal(OutputChoice(bits: .pcm32, dither: .tpdf)).contains("not 32: give --bits"))
        #expect(refusal(OutputChoice(bits: .pcm16, dither: .shaped)) == "")
        #expect(!Dither.shaped.suits(SampleRate(hertz: 96_000)!) && Dither.shaped.suits(.cd))
    }
}
