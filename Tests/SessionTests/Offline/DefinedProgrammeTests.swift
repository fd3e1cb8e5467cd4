import ADMFixtures
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
@testable import Preview

@testable import Session

/// Files that say by an audio definition model what their tracks are (ADM, ITU-R BS.2076 in BS.2088).
@Suite struct DefinedProgrammeTests {
    private typealias Row = ModelFile.Row

    /// 7.1.4 by BS.2094, in WAVE order.
    private static let formats = [1, 2, 3, 4, 0x1C, 0x1D, 0xA, 0xB, 0x22, 0x23, 0x1E, 0x1F]
        .map { "AT_\(ModelFile.hex(0x10000 + $0))_01" }
    private static let pack = "AP_00010017"

    private func noise(_ channel: Int, frames: Int = 24_000) -> [Float] {
        LiveRig.noise(frames, seed: UInt64(channel + 1))
    }

    private func write(_ file: ModelFile, _ path: String) throws {
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    }

    private func process(
        _ folder: Scratch, _ input: String = "film.wav", to target: String = "stereo",
        _ stage: StageSettings = StageSettings(), upmix: UpmixChoices = UpmixChoices()
    ) throws(SessionError) -> ProcessReport {
        try OfflineSession.process(
            ProcessSettings(
                stage: stage, input: folder(input), output: folder("out.wav"), target: target,
                written: .replacing, upmix: upmix),
            progress: { _ in true })
    }

    /// Why a file is refused, without its path.
    private func refusal(_ file: ModelFile) throws -> String {
        let folder = try Scratch()
        try write(file, folder("film.wav"))
        do throws(SessionError) {
            let report = try process(folder)
            return "taken for \(report.from)"
        } catch {
            #expect(error.fault == .input && error.description.hasPrefix(folder("film.wav") + " "))
            #expect(folder.contents == ["film.wav"])
            return error.description.replacing(folder("film.wav"), with: "film.wav")
        }
    }

    private static let naming = ", or name the layout yourself with --layout to play its tracks as loudspeakers"
    private static let renderFirst =
        "render it with an ADM renderer (for example EBU's ear-render) to a loudspeaker layout first"

    @Test(arguments: ["BW64", "RF64", "RIFF"], [true, false])
    func aBedInAnyOrderIsTheSameProgrammeAsInWAVEOrder(_ form: String, _ hasDocument: Bool) throws {
        let folder = try Scratch()
        let sound = (0..<12).map { noise($0) }
        // Which channel each track of the file is.
        let shuffled = [7, 2, 11, 0, 5, 3, 9, 1, 8, 10, 4, 6]
        var text = ModelText()
        text.bed(
            "Bed", shuffled.enumerated().map { (track: $0.offset + 1, format: Self.formats[$0.element]) },
            pack: Self.pack)
        var file = ModelFile(
            channels: shuffled.map { sound[$0] }, rows: text.allocation,
            document: hasDocument ? text.document() : nil)
        file.form = form
        file.others = [("dbmd", [1, 2, 3])]
        try write(file, folder("film.wav"))
        let plain = try SoundFileWriter(
            path: folder("plain.wav"), channels: 12, sampleRate: .studio,
            channelPositions: Layout.named("7.1.4").loudspeakers.compactMap(\.waveMask))
        let block = PlanarBlock(channels: 12, frames: 24_000)
        for channel in 0..<12 { for i in 0..<24_000 { block[channel][i] = sound[channel][i] } }
        try plain.write(block, frames: 24_000)
        try plain.finish()
        for target in ["stereo", "7.1.4", "ambi2"] {
            let report = try process(folder, to: target)
            #expect(report.from == "7.1.4")
            // What is not kept is told, and nothing else.
            let lost = hasDocument ? "chna, axml, dbmd" : target == "ambi2" ? "dbmd" : "chna, dbmd"
            #expect(report.remarks == ["\(folder("out.wav")): not kept of the input: \(lost)"])
            let heard = try WholeSound.read(folder("out.wav"))
            #expect(try process(folder, "plain.wav", to: target).remarks.isEmpty)
            #expect(try WholeSound.read(folder("out.wav")) == heard, "\(target)")
        }
        let measured = try ["film.wav", "plain.wav"].map { name in
            try LoudnessMeasurement(file: folder(name), stage: StageSettings(), order: nil, progress: { _ in true })
        }
        #expect(measured[0].layout == "7.1.4" && measured[0].loudness.integrated == measured[1].loudness.integrated)
        #expect(measured[0].loudness.integrated != nil && measured[0].remarks.isEmpty)
        // A layout that is named and has the same loudspeakers is the same; what stands beside was measured of all.
        #expect(try process(folder, to: "7.1.4", StageSettings(layout: "7.1.4")).remarks.count == 1)
        #expect(try WholeSound.read(folder("out.wav")) == sound)
        _ = try measured[0].save()
        #expect(try process(folder).from == "7.1.4")
    }

    @Test func objectsAreRefusedByNameAndPlayedAsLoudspeakersWhereALayoutIsNamed() throws {
        let folder = try Scratch()
        var text = ModelText()
        text.sound("Dialogue", type: "0003", [1])
        text.sound("Helicopter", type: "0003", [2, 3])
        let file = ModelFile(
            channels: (0..<3).map { noise($0) }, rows: text.allocation,
            document: text.document())
        let what =
            "holds ADM objects, which are not rendered here yet: \"Dialogue\" (track 1), \"Helicopter\" (tracks 2 and 3)"
        #expect(try refusal(file) == "film.wav \(what); \(Self.renderFirst)\(Self.naming)")
        try write(file, folder("film.wav"))
        for run in [
            { _ = try LoudnessMeasurement(file: folder("film.wav"), stage: StageSettings(), order: nil) { _ in true } },
            {
                _ = try OfflineSession.bake(
                    BakeSettings(stage: StageSettings(), input: folder("film.wav"), output: folder("out.wav")),
                    progress: { _ in true })
            },
            {
                _ = try PreviewList(
                    PreviewSettings(live: LiveSettings(stage: StageSettings()), files: [folder("film.wav")]))
            },
            {
                _ = try OfflineSession.render(
                    RenderSettings(stage: StageSettings(), input: folder("film.wav"), output: folder("out.wav")),
                    progress: { _ in true })
            },
        ] as [() throws -> Void] {
            let error = #expect(throws: SessionError.self) { try run() }
            #expect(error?.description.hasPrefix("\(folder("film.wav")) \(what)") == true)
        }
        let report = try process(folder, to: "lcr", StageSettings(layout: "lcr"))
        #expect(report.remarks.first == "\(folder("film.wav")) is played as lcr, as asked; it \(what)")
        #expect(try WholeSound.read(folder("out.wav")) == file.channels)
    }

    @Test func manyObjectsAreCountedAndTheBedBesideThemIsNamed() throws {
        var text = ModelText()
        text.bed("Bed", (0..<10).map { (track: $0 + 1, format: Self.formats[$0]) }, pack: Self.pack)
        for object in 1...17 { text.sound("Object \(object)", type: "0003", [10 + object]) }
        let file = ModelFile(silent: 27, rows: text.allocation, document: text.document())
        let five = (1...5).map { "\"Object \($0)\" (track \(10 + $0))" }.joined(separator: ", ")
        #expect(
            try refusal(file)
                == "film.wav holds ADM objects, which are not rendered here yet: \(five) and 12 more, "
                + "beside \"Bed\" (tracks 1 to 10); \(Self.renderFirst)\(Self.naming)")
    }

    @Test func objectsWithoutADocumentAreRefusedByTheirTracks() throws {
        let file = ModelFile(silent: 2, rows: [Row(1, "AT_00031001_01"), Row(2, "AT_00031002_01")])
        #expect(
            try refusal(file).hasPrefix(
                "film.wav holds ADM objects, which are not rendered here yet: track 1, track 2;"))
    }

    @Test func binauralAndMatrixedSoundIsRefused() throws {
        var ears = ModelText()
        ears.bed("Mix", [(1, "AT_00050001_01"), (2, "AT_00050002_01")], pack: "AP_00050001")
        #expect(
            try refusal(ModelFile(silent: 2, rows: ears.allocation, document: ears.document()))
                == "film.wav holds binaural sound (ADM), which is for two ears as it is: \"Mix\" (tracks 1 and 2); "
                + "listen to it as it is, without a renderer\(Self.naming)")
        var sides = ModelText()
        sides.sound("Pair", type: "0002", [1, 2])
        sides.sound("Bird", type: "0003", [3])
        #expect(
            try refusal(ModelFile(silent: 3, rows: sides.allocation, document: sides.document()))
                == "film.wav holds ADM objects, which are not rendered here yet: \"Bird\" (track 3); and matrixed channels "
                + "(ADM), which are not decoded here: \"Pair\" (tracks 1 and 2); \(Self.renderFirst)\(Self.naming)")
    }

    @Test func twoSignalsForOneLoudspeakerAreRefusedAndBedsThatCompleteEachOtherAreOne() throws {
        var text = ModelText()
        text.bed("English", [(1, Self.formats[0]), (2, Self.formats[1])], pack: "AP_00010002")
        text.bed("Deutsch", [(3, Self.formats[0]), (4, Self.formats[1])], pack: "AP_00010002")
        #expect(
            try refusal(ModelFile(silent: 4, rows: text.allocation, document: text.document()))
                == "film.wav has more than one signal for a loudspeaker (ADM): M+030 is \"English\" (track 1) and "
                + "\"Deutsch\" (track 3), M-030 is \"English\" (track 2) and \"Deutsch\" (track 4); choose one of its "
                + "programmes or mix them: \(Self.renderFirst)\(Self.naming)")
        var whole = ModelText()
        whole.bed("Front", [(1, Self.formats[2]), (2, Self.formats[0]), (3, Self.formats[1])], pack: "AP_0001000a")
        whole.bed("Rest", [(4, "AT_00010006_01"), (5, Self.formats[3]), (6, "AT_00010005_01")], pack: "AP_00010003")
        #expect(
            try refusal(ModelFile(silent: 6, rows: whole.allocation, document: whole.document())) == "taken for 5.1")
    }

    @Test func tracksThatAreNothingAreLeftOutAndToldAndANamedLayoutCountsEitherWay() throws {
        let folder = try Scratch()
        let sound = (0..<5).map { noise($0) }
        try write(
            ModelFile(channels: sound, rows: [Row(2, Self.formats[1]), Row(5, Self.formats[0])]), folder("film.wav"))
        let report = try process(folder)
        #expect(report.from == "stereo")
        #expect(
            report.remarks.first
                == "\(folder("film.wav")): tracks 1, 3 and 4 are nothing by its ADM definitions and not played")
        #expect(try WholeSound.read(folder("out.wav")) == [sound[4], sound[1]])
        // Upmixed, they are left and right.
        var wide = UpmixSettings(input: folder("film.wav"), output: folder("out.wav"))
        wide.written = .replacing
        let upmixed = try OfflineSession.upmix(wide, progress: { _ in true })
        #expect(upmixed.remarks.first == report.remarks.first)
        // As many as the file has, or as its definitions use.
        let five = try process(folder, to: "5.0", StageSettings(layout: "5.0"))
        #expect(
            five.remarks.first
                == "\(folder("film.wav")) is played as 5.0, as asked; its ADM definitions say stereo")
        #expect(try WholeSound.read(folder("out.wav")) == sound)
        try Data(
            """
            {"name": "sides", "loudspeakers": [{"name": "SL", "azimuth": 90}, {"name": "SR", "azimuth": -90}]}
            """.utf8
        ).write(to: URL(fileURLWithPath: folder("sides.json")))
        let two = try process(folder, to: "stereo", StageSettings(layout: folder("sides.json")))
        #expect(two.from == "sides" && two.remarks.first?.contains("its ADM definitions say stereo") == true)
        let error = #expect(throws: SessionError.self) { try process(folder, StageSettings(layout: "5.1")) }
        #expect(error?.description.contains("has 5 channels, the layout has 6") == true)
    }

    private func process(_ folder: Scratch, _ stage: StageSettings) throws(SessionError) -> ProcessReport {
        try process(folder, "film.wav", to: "stereo", stage)
    }

    @Test(arguments: [("sn3d", 0), ("n3d", 0x100), ("fuma", 0x200)])
    func soundFieldsAreTakenInAnyOrderByTheirScale(_ scale: String, _ first: Int) throws {
        let folder = try Scratch()
        let sound = (0..<9).map { noise($0) }
        let shuffled = [4, 0, 8, 3, 1, 7, 2, 6, 5]
        func format(_ acn: Int) -> String { "AT_\(ModelFile.hex(0x40001 + first + acn))_01" }
        try write(
            ModelFile(
                channels: shuffled.map { sound[$0] }, rows: shuffled.enumerated().map { Row($0 + 1, format($1)) }),
            folder("film.wav"))
        let report = try process(folder, to: "ambi2")
        #expect(report.from == "ambi2 (\(scale))")
        let convention = try #require(AmbisonicFormat.Convention(rawValue: scale))
        let own = try AmbisonicFormat(order: 2, convention: convention)
        let heard = try WholeSound.read(folder("out.wav"))
        for channel in 0..<9 {
            let (acn, gain) = own.place(ofChannel: channel)
            for i in stride(from: 0, to: 24_000, by: 97) {
                #expect(abs(heard[acn][i] - Float(gain) * sound[acn][i]) < 1e-6)
            }
        }
        let named = try process(folder, to: "ambi2", StageSettings(layout: "ambi2", ambisonics: convention))
        #expect(named.remarks == report.remarks)
        if scale != "sn3d" {
            let other = try process(folder, to: "ambi2", StageSettings(layout: "ambi2"))
            #expect(
                other.remarks.first?.hasSuffix("as ambi2 (sn3d), as asked; its ADM definitions say ambi2 (\(scale))")
                    == true)
        }
    }

    @Test func soundFieldsThatAreNotWholeAreRefused() throws {
        func rows(_ numbers: [Int]) -> [Row] {
            numbers.enumerated().map { Row($0 + 1, "AT_\(ModelFile.hex(0x40000 + $1))_01") }
        }
        let end = "; \(Self.renderFirst)\(Self.naming)"
        func why(_ numbers: [Int]) throws -> String {
            try refusal(ModelFile(silent: numbers.count, rows: rows(numbers)))
                .replacing("film.wav holds a sound field (ADM) ", with: "").replacing(end, with: "")
        }
        #expect(try why([1, 2, 4]) == "of order 1 without all its channels: ACN 2 is missing")
        #expect(try why([1, 2, 3, 4, 2]) == "with a channel that it has twice: ACN 1 is tracks 2 and 5")
        #expect(try why([1, 2, 0x103, 4]) == "in more than one scale")
        var text = ModelText()
        text.bed("Bed", [(1, Self.formats[0])], pack: "AP_00010002")
        text.bed("Field", [(2, "AT_00040001_01")], pack: "AP_00040001")
        #expect(
            try refusal(ModelFile(silent: 2, rows: text.allocation, document: text.document()))
                == "film.wav holds loudspeakers and a sound field in one (ADM): \"Bed\" (track 1); \"Field\" (track 2)\(end)"
        )
    }

    @Test func definitionsThatCannotBeFollowedAreRefusedAndALayoutHelps() throws {
        let folder = try Scratch()
        let rows = [Row(1, Self.formats[0]), Row(2, Self.formats[1])]
        let begin = "film.wav has ADM definitions that cannot be followed: "
        let end = "; write it anew\(Self.naming)"
        var bad = ModelFile(silent: 2, rows: rows, document: "<a>")
        #expect(try refusal(bad) == "\(begin)its axml chunk is not valid XML: line 1: no element found\(end)")
        try write(bad, folder("film.wav"))
        let report = try process(folder, to: "stereo", StageSettings(layout: "stereo"))
        #expect(
            report.remarks.first
                == "\(folder("film.wav")) is played as stereo, as asked; it has ADM definitions that cannot be followed: "
                + "its axml chunk is not valid XML: line 1: no element found")
        bad = ModelFile(silent: 2, rows: rows)
        bad.others = [("bxml", [1, 2])]
        #expect(try refusal(bad) == "\(begin)its model is compressed (bxml), which is not read here\(end)")
        bad = ModelFile(silent: 2, rows: rows + [Row(3, Self.formats[2])])
        #expect(try refusal(bad) == "\(begin)its chna chunk names track 3 (ATU_00000003), the file has 2\(end)")
        bad = ModelFile(silent: 2)
        bad.allocation = [2, 0, 2, 0, 1]
        #expect(try refusal(bad) == "\(begin)its chna chunk has 5 bytes, too few for the 2 rows it promises\(end)")
        // Sizes that reach beyond the file, at its end.
        let whole = ModelFile(silent: 2, rows: rows, document: String(repeating: " ", count: 100)).bytes
        for (size, words) in [
            (104, "reaches beyond the file's end"), (0x7FFF_FFFF, "has 2147483647 bytes; up to 64 MB"),
        ] {
            var bytes = whole
            let place = bytes.count - 104
            for i in 0..<4 { bytes[place + i] = UInt8(truncatingIfNeeded: size >> (8 * i)) }
            try Data(bytes).write(to: URL(fileURLWithPath: folder("film.wav")))
            let error = #expect(throws: SessionError.self) { try process(folder) }
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        }
    }

    @Test func filesThatDefineNothingAreTakenByTheirHeadersAsEver() throws {
        var file = ModelFile(silent: 2, document: "<ebuCoreMain>not a model")
        #expect(try refusal(file) == "taken for stereo")
        file.allocation = [0, 0, 0, 0]
        #expect(try refusal(file) == "taken for stereo")
        file.allocation = ModelFile.allocation([Row(0, ""), Row(0, "")])
        file.document = nil
        #expect(try refusal(file) == "taken for stereo")
    }

    @Test func aPreviewPlaysTheTracksThatAreSomethingInTheirOrder() throws {
        let folder = try Scratch()
        try write(ModelFile(silent: 3, rows: [Row(3, Self.formats[0]), Row(1, Self.formats[1])]), folder("film.wav"))
        try write(ModelFile(silent: 2), folder("plain.wav"))
        let list = try PreviewList(
            PreviewSettings(
                live: LiveSettings(stage: StageSettings()), files: [folder("film.wav"), folder("plain.wav")]))
        #expect(
            list.entries == [PlaylistEntry(folder("film.wav"), channels: [2, 0]), PlaylistEntry(folder("plain.wav"))])
        // Both are stereo: one follows the other without a gap.
        #expect(list.acts.count == 1 && list.acts[0].layout.name == "stereo")
        #expect(list.remarks == ["\(folder("film.wav")): track 2 is nothing by its ADM definitions and not played"])
    }

    @Test func aTrackWithTwoIdentifiersIsHeardFromBothLoudspeakers() throws {
        let (folder, sound) = (try Scratch(), (0..<2).map { noise($0) })
        let rows = [
            Row(1, "AT_00010001_01", uid: "ATU_00000001"), Row(1, "AT_00010002_01", uid: "ATU_00000002"),
            Row(2, "AT_00010003_01", uid: "ATU_00000003"),
        ]
        try write(ModelFile(channels: sound, rows: rows), folder("film.wav"))
        let report = try process(folder, to: "lcr")
        #expect(report.from == "lcr" && !report.remarks.contains { $0.contains("not played") })
        #expect(try WholeSound.read(folder("out.wav")) == [sound[0], sound[0], sound[1]])
    }
}
