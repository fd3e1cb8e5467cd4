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

/// Files whose tracks are defined by an audio definition model (ADM, ITU-R BS.2076 in BS.2088).
@Suite struct DefinedProgrammeTests: DefinedFiles {
    @Test(arguments: ["BW64", "RF64", "RIFF"], [true, false])
    func aBedInAnyOrderIsTheSameProgrammeAsInWAVEOrder(_ form: String, _ hasDocument: Bool) throws {
        let folder = try Scratch()
        let sound = (0..<12).map { noise($0) }
        // Channel of each track of the file.
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
            // The only remark lists the chunks that are not kept.
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
        // A named layout with the same loudspeakers gives the same output. The metadata beside the file were measured
        // of all channels.
        #expect(try process(folder, to: "7.1.4", StageSettings(layout: "7.1.4")).remarks.count == 1)
        #expect(try WholeSound.read(folder("out.wav")) == sound)
        _ = try measured[0].save()
        #expect(try process(folder).from == "7.1.4")
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
                == "\(folder("film.wav")): tracks 1, 3 and 4 have no content in the ADM definitions and are not played")
        #expect(try WholeSound.read(folder("out.wav")) == [sound[4], sound[1]])
        // Upmixed, they are left and right.
        var wide = UpmixSettings(input: folder("film.wav"), output: folder("out.wav"))
        wide.written = .replacing
        let upmixed = try OfflineSession.upmix(wide, progress: { _ in true })
        #expect(upmixed.remarks.first == report.remarks.first)
        // A named layout must have as many channels as the file, or as its definitions use.
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

    @Test func filesThatDefineNothingAreTakenByTheirHeadersAsEver() throws {
        var file = ModelFile(silent: 2, document: "<ebuCoreMain>not a model")
        #expect(try refusal(file) == "taken for stereo")
        file.allocation = [0, 0, 0, 0]
        #expect(try refusal(file) == "taken for stereo")
        file.allocation = ModelFile.allocation([Row(0, ""), Row(0, "")])
        file.document = nil
        #expect(try refusal(file) == "taken for stereo")
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
