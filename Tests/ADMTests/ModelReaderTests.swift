import ADMFixtures
import SeededRandom
import Testing

@testable import ADM

@Suite("Models that are badly written, or written to do harm") struct ModelReaderTests {
    private typealias Row = ModelFile.Row
    private let bed: ModelText = {
        var text = ModelText()
        text.sound("Bed", type: "0001", [1, 2]) { "<speakerLabel>M\($0 == 1 ? "+" : "-")030</speakerLabel>" }
        return text
    }()

    private func model(_ document: [UInt8], rows: [Row]? = nil) throws(ADMError) -> AudioModel {
        try AudioModel(
            allocation: ModelFile.allocation(rows ?? bed.allocation), document: document, trackCount: 8)
    }

    private func refusal(_ document: String, rows: [Row]? = nil) -> ADMError? {
        do throws(ADMError) {
            _ = try model(Array(document.utf8), rows: rows)
            return nil
        } catch {
            return error
        }
    }

    @Test func textsOfSixteenBitsWithPrefixesAndRoomBehindThemAreRead() throws {
        let wanted = try model(Array(bed.document().utf8)).tracks
        #expect(wanted.count == 2)
        let wide = bed.document().replacing("UTF-8", with: "UTF-16")
        for isLittle in [true, false] {
            let words = ([0xFEFF] + Array(wide.utf16)).flatMap { word -> [UInt8] in
                let (low, high) = (UInt8(word & 0xFF), UInt8(word >> 8))
                return isLittle ? [low, high] : [high, low]
            }
            #expect(try model(words).tracks == wanted)
            #expect(try model(words + [0, 0, 0]).tracks == wanted)
        }
        let prefixed = bed.document().replacing("<audio", with: "<adm:audio").replacing("</audio", with: "</adm:audio")
            .replacing("<ebuCoreMain ", with: "<ebuCoreMain xmlns:adm=\"urn:adm\" ")
        #expect(try model(Array(prefixed.utf8)).tracks == wanted)
        #expect(try model(Array(bed.document().utf8) + [UInt8](repeating: 0, count: 999)).tracks == wanted)
    }

    @Test func whatIsNoXMLIsRefusedWithTheLine() {
        #expect(refusal("") == .notXML(line: 1, reason: "no element found"))
        #expect(refusal("\0\0\0") == .notXML(line: 1, reason: "no element found"))
        guard case .notXML(let line, _) = refusal("<a>\n<b>\n</a>") else {
            Issue.record("mismatched tags")
            return
        }
        #expect(line == 3)
        for text in [
            "<a", "<a>&nbsp;</a>", "{}", "<a/><b/>", "<a b=1/>", "<?xml version='1.0' encoding='EBCDIC'?><a/>",
        ] {
            guard case .notXML = refusal(text) else {
                Issue.record("\(text)")
                continue
            }
        }
        let cut = bed.document()
        for length in stride(from: 0, to: cut.utf8.count - 20, by: 97) {
            guard case .notXML = refusal(String(cut.prefix(length))) else {
                Issue.record("\(length)")
                continue
            }
        }
    }

    @Test func documentTypesAreRefusedBeforeAnyEntityGrows() {
        var bomb = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY e0 \"boom\">"
        for i in 1...30 { bomb += "<!ENTITY e\(i) \"" + String(repeating: "&e\(i - 1);", count: 10) + "\">" }
        #expect(refusal(bomb + "]><a>&e30;</a>") == .documentType)
        #expect(refusal("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>") == .documentType)
        #expect(refusal("<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><a>&e;</a>") == .documentType)
        #expect(refusal("<!DOCTYPE a [<!ENTITY % e SYSTEM \"http://localhost/\"> %e;]><a/>") == .documentType)
    }

    @Test func depthAndNumberAndSizeAreBounded() throws {
        #expect(refusal(String(repeating: "<a>", count: 100_000)) == .tooDeep(ModelBuilder.mostDepth))
        let many = "<a>" + String(repeating: "<audioObject audioObjectID=\"AO_1\"/>", count: ModelBuilder.mostKept + 1)
        #expect(refusal(many + "</a>") == .tooMany(ModelBuilder.mostKept))
        let large = [UInt8](repeating: 32, count: AudioModel.largestDocument + 1)
        #expect(throws: ADMError.tooLarge(bytes: large.count)) { try model(large) }
        // The reader skips the blocks of an object, whatever their number.
        var text = ModelText()
        text.sound("Bird", type: "0003", [1]) { _ in
            "</audioBlockFormat>"
                + String(repeating: "<audioBlockFormat><gain>1</gain></audioBlockFormat>", count: 50_000)
                + "<audioBlockFormat>"
        }
        #expect(try model(Array(text.document().utf8), rows: text.allocation).tracks.map(\.content) == [.object])
    }

    @Test func circlesAreRefusedByTheirNames() {
        let objects =
            "<audioObject audioObjectID=\"AO_1\"><audioObjectIDRef>AO_2</audioObjectIDRef></audioObject>"
            + "<audioObject audioObjectID=\"AO_2\"><audioObjectIDRef>AO_1</audioObjectIDRef></audioObject>"
        #expect(refusal(bed.document(objects)) == .circle(["AO_1", "AO_2", "AO_1"]))
        let own =
            "<audioPackFormat audioPackFormatID=\"AP_1\"><audioPackFormatIDRef>AP_1</audioPackFormatIDRef></audioPackFormat>"
        #expect(refusal(bed.document(own)) == .circle(["AP_1", "AP_1"]))
        // A chain of references is no cycle, whatever its length.
        let chain = (0..<50_000).map { i in
            "<audioObject audioObjectID=\"AO_\(i)\"><audioObjectIDRef>AO_\(i + 1)</audioObjectIDRef></audioObject>"
        }
        #expect(refusal(bed.document(chain.joined())) == nil)
    }

    @Test func whatIsReferredToAndNotThereIsNamed() {
        #expect(
            refusal("<a/>") == .undefined("AC_00011001", by: "track 1"),
            "a channel of the file's own that it does not define")
        let object =
            "<audioObject audioObjectID=\"AO_9\" audioObjectName=\"Far\"><audioTrackUIDRef>ATU_00000099</audioTrackUIDRef></audioObject>"
        #expect(refusal(bed.document(object)) == .undefined("ATU_00000099", by: "its object \"Far\""))
        let silent =
            "<audioObject audioObjectID=\"AO_9\"><audioTrackUIDRef>ATU_00000000</audioTrackUIDRef></audioObject>"
        #expect(refusal(bed.document(silent)) == nil)
        let stream =
            "<audioTrackFormat audioTrackFormatID=\"AT_00011009_01\"><audioStreamFormatIDRef>AS_00011009</audioStreamFormatIDRef></audioTrackFormat>"
        #expect(
            refusal("<a>\(stream)</a>", rows: [Row(1, "AT_00011009_01")])
                == .undefined("AS_00011009", by: "AT_00011009_01"))
        #expect(refusal("<a/>", rows: [Row(1, "nonsense")]) == .undefined("NONSENSE", by: "track 1"))
        #expect(refusal("<a/>", rows: [Row(1, "")]) == .undefined("no format", by: "track 1 (ATU_00000001)"))
        #expect(refusal("<a/>", rows: [Row(9, "AT_00010001_01")]) == .noSuchTrack(9, uid: "ATU_00000009", count: 8))
        let other =
            "<audioTrackUID UID=\"ATU_00000001\"><audioTrackFormatIDRef>AT_00010002_01</audioTrackFormatIDRef></audioTrackUID>"
        #expect(
            refusal("<a>\(other)</a>", rows: [Row(1, "AT_00010001_01")])
                == .contradiction(uid: "ATU_00000001", first: "AC_00010001", second: "AC_00010002"))
        #expect(refusal("<a>\(other)</a>", rows: [Row(1, "")]) == nil)
    }

    @Test func loudspeakersWithoutAPlaceAndThoseThatMoveAreRefused() {
        for block in [
            "", "<speakerLabel>Z9</speakerLabel>", "<position coordinate=\"azimuth\">nan</position>",
            "<position coordinate=\"azimuth\">1e9</position>", "<position coordinate=\"X\">0.5</position>",
        ] {
            var text = ModelText()
            text.sound("Odd", type: "0001", [1]) { _ in block }
            guard case .noPlace("Odd 1", "AC_00011001", _) = refusal(text.document(), rows: text.allocation) else {
                Issue.record("\(block)")
                continue
            }
        }
        var text = ModelText()
        text.sound("Odd", type: "0001", [1]) { _ in
            "<speakerLabel>M+030</speakerLabel></audioBlockFormat><audioBlockFormat><speakerLabel>M-030</speakerLabel>"
        }
        #expect(refusal(text.document(), rows: text.allocation) == .moves(name: "Odd 1", id: "AC_00011001"))
    }

    @Test func namesAreShownWithoutWhatATerminalObeys() throws {
        var text = ModelText()
        text.sound("a&#10;b&#x202e;\u{9B}c" + String(repeating: "long", count: 100), type: "0003", [1])
        let name = try #require(model(Array(text.document().utf8), rows: text.allocation).tracks.first?.objects.first)
        #expect(name.hasPrefix("a b  clong") && name.unicodeScalars.count == 80)
    }

    @Test func rowsThatAreNotThereAreRefused() {
        let whole = ModelFile.allocation(bed.allocation)
        for length in 0..<whole.count {
            #expect(throws: ADMError.self) {
                try AudioModel(allocation: Array(whole[..<length]), document: nil, trackCount: 8)
            }
        }
        #expect(throws: ADMError.shortAllocation(bytes: 4, rows: 65_535)) {
            try AudioModel(allocation: [1, 0, 255, 255], document: nil, trackCount: 8)
        }
    }

    @Test func anyBytesAreReadOrRefused() {
        var random = SplitMix(state: 4)
        let original = Array(bed.document().utf8)
        for _ in 0..<2000 {
            var document = original
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<document.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: document[place] = UInt8.random(in: 0...255, using: &random)
                case 1: document.removeSubrange(place..<min(document.count, place + 9))
                default: document.insert(contentsOf: Array("<a/>".utf8), at: place)
                }
            }
            var allocation = ModelFile.allocation(bed.allocation)
            let place = Int.random(in: 0..<allocation.count, using: &random)
            allocation[place] = UInt8.random(in: 0...255, using: &random)
            do { _ = try AudioModel(allocation: allocation, document: document, trackCount: 8) } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}
