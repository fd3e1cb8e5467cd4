import AudioIO
import Capture
import Foundation
import Loading
import Offline
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing

/// Files whose header says B-format, as `.amb` files do.
@Suite("B-format") struct BFormatTests {
    private static func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Writes 480 frames in 32-bit floating point or 16 bits; each channel has its own constant value.
    private func write(_ values: [Float], isFloat: Bool, _ path: String, mask: Int = 0) throws {
        let bits = isFloat ? 32 : 16
        let block = bits / 8 * values.count
        let frame = values.flatMap { value in
            isFloat ? Self.number(Int(value.bitPattern)) : Self.number(Int((32_768 * value).rounded()), 2)
        }
        let sound = (0..<480).flatMap { _ in frame }
        let guid: [UInt8] = [0, 0, 0, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0]
        let numbers = [
            (0xFFFE, 2), (values.count, 2), (48_000, 4), (48_000 * block, 4), (block, 2), (bits, 2), (22, 2), (bits, 2),
            (mask, 4),
        ]
        let format = numbers.flatMap { Self.number($0.0, $0.1) } + [isFloat ? 3 : 1] + guid
        let body =
            Array("WAVEfmt ".utf8) + Self.number(format.count) + format + Array("data".utf8) + Self.number(sound.count)
            + sound
        try Data(Array("RIFF".utf8) + Self.number(body.count) + body).write(to: URL(fileURLWithPath: path))
    }

    @Test("4, 9 and 16 channels are a field in Furse-Malham, of whole numbers or floating point", arguments: [1, 2, 3])
    func fields(_ order: Int) throws {
        let folder = try Scratch()
        let format = try AmbisonicFormat(order: order, convention: .fuma)
        for isFloat in [false, true] {
            // A channel mask in the file is ignored.
            for mask in [0, (1 << format.channelCount) - 1] {
                let values = (0..<format.channelCount).map { Float($0 + 1) / 64 }
                try write(values, isFloat: isFloat, folder("in.amb"), mask: mask)
                let programme = try InputProgramme(folder("in.amb"), StageSettings(), order: nil)
                #expect(programme.layout.ambisonics == format)
                _ = try OfflineSession.process(
                    ProcessSettings(
                        stage: StageSettings(), input: folder("in.amb"), output: folder("out.wav"),
                        target: "ambi\(order)", written: .replacing), progress: { _ in true })
                let heard = try WholeSound.read(folder("out.wav"))
                for channel in 0..<format.channelCount {
                    let place = format.place(ofChannel: channel)
                    #expect(abs(heard[place.acn][100] - values[channel] * Float(place.gain)) < 1e-6)
                }
            }
        }
    }

    @Test("other numbers of channels are refused, and a layout that is named comes first") func others() throws {
        let folder = try Scratch()
        try write([Float](repeating: 0.1, count: 5), isFloat: true, folder("in.amb"))
        let error = #expect(throws: SessionError.self) {
            try InputProgramme(folder("in.amb"), StageSettings(), order: nil)
        }
        #expect(error?.description.contains("is B-format of 5 channels") == true)
        #expect(error?.description.contains("-af 'pan=16c|c0=c0|c1=c1|c2=c2|c7=c3|c8=c4'") == true)
        try write([Float](repeating: 0.1, count: 10), isFloat: true, folder("ten.amb"))
        let wrong = #expect(throws: SessionError.self) {
            try InputProgramme(folder("ten.amb"), StageSettings(), order: nil)
        }
        #expect(wrong?.description.contains("no such sound field has 10 channels") == true && wrong?.remedy != nil)
        try write([Float](repeating: 0.1, count: 4), isFloat: true, folder("in.amb"))
        func remarks(_ stage: StageSettings) throws -> [String] {
            try InputProgramme(folder("in.amb"), stage, order: nil).remarks.filter { $0.contains("as asked") }
        }
        #expect(
            try remarks(StageSettings(layout: "quad")) == [
                "\(folder("in.amb")) is played as quad, as asked; its header says B-format (fuma)"
            ])
        #expect(try remarks(StageSettings(layout: "ambi1", ambisonics: .fuma)).isEmpty)
    }

    @Test("a take that is steadied may be any field that says what it is") func takes() throws {
        let folder = try Scratch()
        func steadied(_ name: String) throws -> [[Float]] {
            try Data("t,w,x,y,z\n0,1,0,0,0\n1,1,0,0,0\n".utf8).write(
                to: URL(fileURLWithPath: CaptureNames.orientation(folder(name))))
            let take = try TakeField(folder(name))
            #expect(
                try SteadiedFile.write(take.reader, take.format, to: folder("out.wav"), .hold, replaces: true) == 480)
            let out = try InputProgramme(folder("out.wav"), StageSettings(), order: nil)
            #expect(out.layout.ambisonics == (try AmbisonicFormat(order: take.format.order)))
            return try WholeSound.read(folder("out.wav"))
        }
        // Furse-Malham becomes AmbiX.
        try write([0.25, 0.1, 0.2, 0.3], isFloat: true, folder("in.amb"))
        let field = try steadied("in.amb").map { $0[100] }
        for (found, wanted) in zip(field, [0.25 * 2.0.squareRoot(), 0.2, 0.3, 0.1]) {
            #expect(abs(Double(found) - wanted) < 1e-6)
        }
        // The safety track of a capture: a field and stereo.
        let block = PlanarBlock(channels: 6, frames: 480)
        for channel in 0..<6 { for i in 0..<480 { block[channel][i] = Float(channel + 1) / 16 } }
        let writer = try SoundFileWriter(path: folder("safety.wav"), channels: 6, sampleRate: .studio, fieldOrder: 1)
        try writer.write(block, frames: 480)
        try writer.finish()
        #expect(try steadied("safety.wav").map { $0[100] } == [1, 2, 3, 4].map { Float($0) / 16 })
        // A field of order 2, whatever loudspeakers its mask says.
        let second = try SoundFileWriter(path: folder("second.wav"), channels: 9, sampleRate: .studio)
        try second.write(PlanarBlock(channels: 9, frames: 480), frames: 480)
        try second.finish()
        #expect(try steadied("second.wav").count == 9)
        try write([0.1, 0.1, 0.1], isFloat: true, folder("three.amb"))
        #expect(throws: SessionError.self) { try TakeField(folder("three.amb")) }
    }

    @Test("what is baked or steadied is other sound: it has an identifier of its own") func identifiers() throws {
        let folder = try Scratch()
        var broadcast = [UInt8](repeating: 0, count: 602)
        (broadcast[346], broadcast[412], broadcast[413]) = (2, 0x04, 0xF7)
        for i in 0..<32 { broadcast[348 + i] = UInt8(i + 1) }
        let sound = (0..<48_000).flatMap { Self.number((97 * $0) % 4096, 2) + Self.number((89 * $0) % 4096, 2) }
        let format: [UInt8] = [1, 0, 2, 0] + Self.number(48_000) + Self.number(192_000) + [4, 0, 16, 0]
        let body =
            Array("WAVEfmt ".utf8) + Self.number(16) + format + Array("bext".utf8) + Self.number(602) + broadcast
            + Array("data".utf8) + Self.number(sound.count) + sound
        try Data(Array("RIFF".utf8) + Self.number(body.count) + body).write(to: URL(fileURLWithPath: folder("in.wav")))
        _ = try OfflineSession.bake(
            BakeSettings(stage: StageSettings(), input: folder("in.wav"), output: folder("out.wav")),
            progress: { _ in true })
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder("out.wav"))))
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("bext".utf8)) }) + 8
        let identifier = Array(bytes[(place + 348)..<(place + 412)])
        #expect(identifier != Array(broadcast[348..<412]) && identifier.prefix(4) == [0x06, 0x0A, 0x2B, 0x34])
        #expect(bytes[place + 412] == 0xFF && bytes[place + 413] == 0x7F)
    }
}
