import AudioIO
import Foundation
import Loading
import Offline
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing

/// Sound fields written as B-format, `.amb`.
@Suite struct BFormatOutputTests {
    /// Writes a field of noise in AmbiX.
    private func write(_ path: String, order: Int) throws {
        let count = (order + 1) * (order + 1)
        let block = PlanarBlock(channels: count, frames: 960)
        for channel in 0..<count {
            for (i, sample) in WhiteNoise.samples(960, seed: UInt64(11 + channel)).enumerated() {
                block[channel][i] = sample
            }
        }
        let writer = try SoundFileWriter(path: path, channels: count, sampleRate: .studio, fieldOrder: order)
        try writer.write(block, frames: 960)
        try writer.finish()
    }

    private func process(
        _ folder: Scratch, _ from: String, _ to: String, target: String? = nil,
        _ convention: AmbisonicFormat.Convention? = nil, written: OutputChoice = .replacing
    ) throws -> ProcessReport {
        try OfflineSession.process(
            ProcessSettings(
                stage: StageSettings(), input: folder(from), output: folder(to), target: target,
                targetAmbisonics: convention, written: written), progress: { _ in true })
    }

    @Test("A field becomes Furse-Malham in a file that says so, and comes back", arguments: [1, 2, 3])
    func fields(_ order: Int) throws {
        let folder = try Scratch()
        try write(folder("in.wav"), order: order)
        let report = try process(folder, "in.wav", "out.amb")
        #expect(report.to == "ambi\(order) (fuma)")
        #expect(try SoundFileReader(path: folder("out.amb")).isBFormat)
        let format = try AmbisonicFormat(order: order, convention: .fuma)
        let (field, written) = (try WholeSound.read(folder("in.wav")), try WholeSound.read(folder("out.amb")))
        // The first four channels: W lowered by 3 dB, then X Y Z.
        #expect(abs(written[0][7] - field[0][7] * Float(0.5).squareRoot()) < 1e-7)
        for (channel, acn) in [(1, 3), (2, 1), (3, 2)] { #expect(written[channel][7] == field[acn][7]) }
        for channel in 0..<format.channelCount {
            let place = format.place(ofChannel: channel)
            for i in 0..<960 {
                #expect(abs(Double(written[channel][i]) * place.gain - Double(field[place.acn][i])) < 1e-6)
            }
        }
        #expect(try process(folder, "out.amb", "back.wav").from == "ambi\(order) (fuma)")
        for (back, first) in zip(try WholeSound.read(folder("back.wav")), field) {
            for (x, y) in zip(back, first) { #expect(abs(x - y) < 1e-6) }
        }
    }

    @Test("A copy of B-format keeps its samples, whatever the container is named") func copies() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), order: 2)
        _ = try process(folder, "in.wav", "a.amb")
        var written = OutputChoice.replacing
        written.format = .amb
        _ = try process(folder, "a.amb", "b.wav", written: written)
        #expect(try WholeSound.read(folder("a.amb")) == WholeSound.read(folder("b.wav")))
        #expect(try SoundFileReader(path: folder("b.wav")).isBFormat)
        // Loudspeakers become a field first.
        #expect(try process(folder, "a.amb", "c.amb", target: "ambi1").to == "ambi1 (fuma)")
    }

    @Test(
        "What B-format cannot hold is refused with another line, and nothing is written",
        arguments: [
            ("5.1", nil, "holds sound fields only, not 5.1"), ("ambi4", nil, "up to order 3, not ambi4"),
            ("ambi1", .sn3d, "Furse-Malham's order and scale, not sn3d"),
        ] as [(String, AmbisonicFormat.Convention?, String)])
    func others(_ target: String, _ convention: AmbisonicFormat.Convention?, _ reason: String) throws {
        let folder = try Scratch()
        try write(folder("in.wav"), order: 1)
        let error = #expect(throws: SessionError.self) {
            try process(folder, "in.wav", "out.amb", target: target, convention)
        }
        #expect(error?.description.contains(reason) == true && error?.remedy != nil)
        #expect(folder.contents == ["in.wav"])
    }
}
