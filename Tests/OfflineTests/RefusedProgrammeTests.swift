import ADMFixtures
import Foundation
import Loading
import Offline
import SoundFixtures
import Stages
import Testing

/// Files whose audio definition model has content that is not supported (ADM, ITU-R BS.2076 in BS.2088).
@Suite struct RefusedProgrammeTests: DefinedFiles {
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
        #expect(
            try refusal(bad)
                == "\(begin)its chna chunk contains track 3 (ATU_00000003), but the file has only 2 tracks\(end)")
        bad = ModelFile(silent: 2)
        bad.allocation = [2, 0, 2, 0, 1]
        #expect(try refusal(bad) == "\(begin)its chna chunk has 5 bytes, too few for the 2 rows that it states\(end)")
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
}
