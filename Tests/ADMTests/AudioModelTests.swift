import ADMFixtures
import Testing

@testable import ADM

@Suite struct AudioModelTests {
    private typealias Row = ModelFile.Row

    private func model(_ rows: [Row], _ document: String? = nil, tracks: Int = 64) throws(ADMError) -> AudioModel {
        try AudioModel(
            allocation: ModelFile.allocation(rows), document: document.map { Array($0.utf8) }, trackCount: tracks)
    }

    private func position(_ track: DefinedTrack) throws -> SpeakerPosition {
        guard case .loudspeaker(let found) = track.content else {
            throw ADMError.noPlace(name: "\(track)", id: "", labels: [])
        }
        return found.position
    }

    @Test func commonDefinitionsNeedNoDocument() throws {
        let found = try model([
            Row(3, "AT_00010001_01", "AP_00010003"), Row(1, "AT_00010002_01", "AP_00010003"),
            Row(2, "AC_00010004_00", "AP_00010003"), Row(0, "AT_00010001_01"), Row(6, "AT_0001001e_01"),
        ])
        #expect(found.tracks.map(\.number) == [1, 2, 3, 6] && found.remarks.isEmpty)
        #expect(try found.tracks.map(position).map(\.azimuthDegrees) == [-30, 0, 30, 135])
        #expect(try position(found.tracks[1]).lowFrequency == 1 && position(found.tracks[3]).elevationDegrees == 30)
    }

    /// Azimuths and elevations of the loudspeakers in the table of BS.2094.
    @Test func everyCommonLoudspeakerStandsWhereItsNumberSays() throws {
        let places: [(Double, Double)] = [
            (30, 0), (-30, 0), (0, 0), (0, 0), (110, 0), (-110, 0), (22.5, 0), (-22.5, 0), (180, 0), (90, 0), (-90, 0),
            (0, 90), (30, 30), (0, 30), (-30, 30), (110, 30), (180, 30), (-110, 30), (90, 30), (-90, 30), (0, -30),
            (45, -30), (-45, -30), (60, 0), (-60, 0), (135, 0), (-135, 0), (135, 0), (-135, 0), (135, 30), (-135, 30),
            (0, 0), (0, 0), (45, 30), (-45, 30), (25, 0), (-25, 0), (45, 0), (-45, 0), (180, 45),
        ]
        for (index, place) in places.enumerated() {
            let found = try model([Row(1, "AT_\(ModelFile.hex(0x10001 + index))_01")]).tracks[0]
            let position = try position(found)
            #expect((position.azimuthDegrees, position.elevationDegrees) == place, "\(index + 1)")
            #expect(position.lowFrequency == [3: 1, 31: 1, 32: 2][index])
        }
        #expect(throws: ADMError.undefined("AC_00010029", by: "track 1")) { try model([Row(1, "AT_00010029_01")]) }
    }

    @Test(arguments: [
        ("M+030", 30.0, 0.0), ("urn:itu:bs:2051:0:speaker:M-110", -110, 0), ("urn:itu:bs:2051:3:speaker:U+045", 45, 30),
        ("UH+180", 180, 45), ("T+000", 0, 90), ("B-045", -45, -30), ("M+022", 22.5, 0), ("M-SC", -25, 0),
        ("M-135_Diff", -135, 0), ("L", 30, 0), ("R", -30, 0), ("C", 0, 0), ("Ls", 110, 0), ("Rrs", -135, 0),
        ("Cs", 180, 0), ("RC_Lss", 90, 0), ("RC_Rts", -90, 30), ("RC_Ltf", 45, 30), ("Lw", 60, 0),
    ])
    func labelsAreThoseOfBS2051AndOfFilmSound(_ label: String, _ azimuth: Double, _ elevation: Double) throws {
        #expect(SpeakerPosition(label: label) == SpeakerPosition(azimuth, elevation))
    }

    @Test func lowFrequencyLabelsAndWhatIsNoLabel() {
        for label in ["LFE", "LFE1", "urn:itu:bs:2051:0:speaker:LFEL", "RC_LFE"] {
            #expect(SpeakerPosition(label: label)?.lowFrequency == 1, "\(label)")
        }
        #expect(SpeakerPosition(label: "LFER")?.lowFrequency == 2)
        for label in ["", "M", "M+", "M+0300", "M+400", "X+030", "RC_", "+030", "M+03é", "urn:", "l"] {
            #expect(SpeakerPosition(label: label) == nil, "\(label)")
        }
    }

    @Test func aLoudspeakerOfTheFilesOwnIsKnownByItsLabelElseByItsPlace() throws {
        var text = ModelText()
        let blocks = [
            "<speakerLabel>RC_Lss</speakerLabel><position coordinate=\"X\">-1.0</position>",
            "<speakerLabel>mine</speakerLabel><position coordinate=\"azimuth\">-12.5</position>"
                + "<position coordinate=\"azimuth\" bound=\"min\">-40</position>"
                + "<position coordinate=\"elevation\">20</position>",
            "<speakerLabel>Left</speakerLabel><speakerLabel>M+060</speakerLabel>",
        ]
        text.sound("Bed", type: "0001", [1, 2, 3]) { blocks[$0 - 1] }
        text.sound("Low", type: "0001", [4], label: "<frequency typeDefinition=\"lowPass\">120</frequency>") { _ in
            "<position coordinate=\"azimuth\">45</position>"
        }
        let tracks = try model(text.allocation, text.document()).tracks
        #expect(
            try tracks.map(position) == [
                SpeakerPosition(90), SpeakerPosition(-12.5, 20), SpeakerPosition(60),
                SpeakerPosition(0, lowFrequency: 1),
            ])
        #expect(tracks.map(\.objects) == [["Bed"], ["Bed"], ["Bed"], ["Low"]])
    }

    @Test func kindsAreToldByTheirDefinitionsAndByTheirNumbers() throws {
        var text = ModelText()
        text.sound("Bird", type: "0003", [1])
        text.sound("Ears", type: "0005", [2])
        text.sound("Mid and side", type: "0002", [3])
        let found = try model(text.allocation + [Row(4, "AT_00031009_01"), Row(5, "AT_00050002_01")], text.document())
        #expect(found.tracks.map(\.content) == [.object, .binaural, .matrix, .object, .binaural])
        #expect(found.tracks.map(\.objects) == [["Bird"], ["Ears"], ["Mid and side"], [], []])
    }

    @Test func soundFieldsAreTakenFromCommonDefinitionsAndFromBlocks() throws {
        let common = try model([Row(1, "AT_00040004_01"), Row(2, "AT_00040102_01"), Row(3, "AT_00040210_01")])
        #expect(
            common.tracks.map(\.content) == [
                .harmonic(DefinedHarmonic(acn: 3, scale: .sn3d)), .harmonic(DefinedHarmonic(acn: 1, scale: .n3d)),
                .harmonic(DefinedHarmonic(acn: 15, scale: .fuma)),
            ])
        #expect(throws: ADMError.self) { try model([Row(1, "AT_00040032_01")]) }
        #expect(throws: ADMError.self) { try model([Row(1, "AT_00040211_01")]) }
        var text = ModelText()
        text.sound("Field", type: "0004", [1, 2]) {
            $0 == 1
                ? "<order>2</order><degree>-1</degree>"
                : "<order>1</order><degree>1</degree><normalization>SN3D</normalization>"
        }
        let pack =
            "<audioPackFormat audioPackFormatID=\"AP_00041001\"><normalization>N3D</normalization></audioPackFormat>"
        #expect(
            try model(text.allocation, text.document(pack)).tracks.map(\.content) == [
                .harmonic(DefinedHarmonic(acn: 5, scale: .n3d)), .harmonic(DefinedHarmonic(acn: 3, scale: .sn3d)),
            ])
    }

    @Test func oneTrackInTwoObjectsHasBothNamesAndMayBeTwoThings() throws {
        let rows = [Row(1, "AT_00010001_01", uid: "ATU_00000001"), Row(1, "AT_00010001_01", uid: "ATU_00000002")]
        var text = ModelText()
        text.object("First", [1], pack: "AP_00010001")
        text.object("Second", [2], pack: "AP_00010001")
        #expect(try model(rows, text.document()).tracks.map(\.objects) == [["First", "Second"]])
        // One track is the signal of two loudspeakers, as in the test file of EBU's renderer.
        let both = try model([rows[0], Row(1, "AT_00010002_01", uid: "ATU_00000002"), Row(2, "AT_00010003_01")])
        #expect(both.tracks.map(\.number) == [1, 1, 2])
        let names = both.tracks.map { if case .loudspeaker(let found) = $0.content { found.name } else { "none" } }
        #expect(names == ["M+030", "M-030", "M+000"])
    }

    @Test func levelsInTheModelAreTold() throws {
        var text = ModelText()
        text.bed("Bed", [(1, "AT_00010001_01")], pack: "AP_00010001")
        text.object("Loud", [1], pack: "AP_00010001", inside: "<gain gainUnit=\"dB\">3.0</gain>")
        text.object("Gone", [1], pack: "AP_00010001", inside: "<mute>1</mute>")
        text.object("Other", [1], pack: "x", inside: "<alternativeValueSet><gain>0.5</gain></alternativeValueSet>")
        #expect(
            try model(text.allocation, text.document()).remarks == [
                "\"Loud\" has a gain of +3.0 dB in the model; the gain is not applied",
                "\"Gone\" is muted in the model, but is played",
            ])
    }
}
