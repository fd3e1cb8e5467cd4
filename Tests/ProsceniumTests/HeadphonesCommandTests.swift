import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// `headphones check` and `info`, and a render through an equalisation.
@Suite("Headphones, through the program") struct HeadphonesCommandTests {
    private static let covered = "Preamp: -6.1 dB\nFilter 1: ON PK Fc 1000 Hz Gain 6 dB Q 1\n"
    private static let bare = "Filter 1: ON PK Fc 1000 Hz Gain 6 dB Q 1\nDevice: all\n"

    private func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test("check says ok, warn or reject, with the reason, and ends with 1 where one is rejected") func check() throws {
        let folder = try Scratch()
        try write(Self.covered, to: folder("covered.txt"))
        try write(Self.bare, to: folder("bare.txt"))
        try write("Filter 1: ON PK Fc 1000 Hz", to: folder("broken.txt"))
        let run = try Run("headphones", "check", folder("covered.txt"), folder("bare.txt"), folder("broken.txt"))
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 1 && lines.count == 3)
        #expect(lines[0] == "ok\t\(folder("covered.txt"))\t")
        #expect(lines[1].hasPrefix("warn\t") && lines[1].contains("line 2 ('device:')"))
        #expect(lines[1].contains("boosts by 6.0 dB after its preamp"))
        #expect(lines[2].hasPrefix("reject\t") && lines[2].contains("line 1: the filter has no Gain"))
        let json = try Run("headphones", "check", "--json", folder("bare.txt"))
        #expect(json.status == 0 && json.output.contains("\"verdict\" : \"warn\""))
    }

    @Test("info shows the curve, what to know about it, and draws it") func info() throws {
        let folder = try Scratch()
        try write(Self.covered, to: folder("eq.txt"))
        let run = try Run("headphones", "info", folder("eq.txt"), "--svg", folder("eq.svg"))
        #expect(run.status == 0 && run.output.contains("diffuse-field target"), "\(run.complaints)")
        #expect(run.output.contains("largest gain -0.1 dB at 1000 Hz"), "\(run.output)")
        let svg = try String(contentsOfFile: folder("eq.svg"), encoding: .utf8)
        #expect(svg.hasPrefix("<svg") && svg.components(separatedBy: "<polyline").count == 3)
    }

    @Test("render plays through it, and says so") func render() throws {
        let folder = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 4800)
        for channel in 0..<2 { for i in 0..<4800 { block[channel][i] = 0.2 * Float(sin(Double(i) * 0.13)) } }
        let writer = try SoundFileWriter(path: folder("in.wav"), channels: 2, sampleRate: .studio)
        try writer.write(block, frames: 4800)
        try writer.finish()
        // A sound file as a filter: a single sample of one half.
        let impulse = PlanarBlock(channels: 1, frames: 64)
        impulse[0][0] = 0.5
        let filter = try SoundFileWriter(path: folder("half.wav"), channels: 1, sampleRate: .studio)
        try filter.write(impulse, frames: 64)
        try filter.finish()
        try write("Convolution: half.wav\nPreamp: 6.0206 dB\n", to: folder("eq.txt"))
        func ears(_ name: String, _ options: String...) throws -> [Float] {
            let run = try Run(
                ["render", folder("in.wav"), folder(name), "--hrtf", "generated", "--no-tail"] + options)
            #expect(run.status == 0, "\(run.complaints)")
            if !options.isEmpty { #expect((run.output + run.complaints.joined()).contains("headphones: ")) }
            let reader = try SoundFileReader(path: folder(name))
            let block = PlanarBlock(channels: 2, frames: reader.frameCount)
            _ = try reader.read(into: block, frames: reader.frameCount)
            return Array(UnsafeBufferPointer(start: block[0], count: reader.frameCount))
        }
        let plain = try ears("plain.wav")
        let halved = try ears("half-ears.wav", "--headphone-eq", folder("half.wav"))
        let undone = try ears("undone.wav", "--headphone-eq", folder("eq.txt"))
        for i in plain.indices {
            #expect(abs(halved[i] - 0.5 * plain[i]) < 1e-5 && abs(undone[i] - plain[i]) < 1e-5)
        }
        // Stereo for headphones gets the equalisation, too; loudspeakers do not.
        func folded(_ name: String, _ options: String...) throws -> [Float] {
            let run = try Run(["process", folder("in.wav"), folder(name)] + options)
            #expect(run.status == 0, "\(run.complaints)")
            let reader = try SoundFileReader(path: folder(name))
            let block = PlanarBlock(channels: reader.channelCount, frames: reader.frameCount)
            _ = try reader.read(into: block, frames: reader.frameCount)
            return Array(UnsafeBufferPointer(start: block[0], count: reader.frameCount))
        }
        let stereo = try folded("stereo.wav", "--to", "stereo")
        let softer = try folded("soft.wav", "--to", "stereo", "--headphone-eq", folder("half.wav"))
        #expect(stereo.count == 4800 && softer.count == 4800)
        for i in stereo.indices { #expect(abs(softer[i] - 0.5 * stereo[i]) < 1e-6) }
        // A boost beyond full scale is scaled to fit.
        try write("Filter 1: ON PK Fc 1000 Hz Gain 24 dB Q 0.3\n", to: folder("boost.txt"))
        let fitted = try folded("fit.wav", "--to", "stereo", "--fit", "--headphone-eq", folder("boost.txt"))
        let peak = fitted.reduce(0) { max($0, abs($1)) }
        #expect(peak <= 1 && peak > 0.97)
        let wide = try Run(
            "process", folder("in.wav"), folder("wide.wav"), "--to", "5.1", "--headphone-eq", folder("half.wav"))
        let remark = "--headphone-eq has no effect with --to 5.1"
        #expect(wide.status == 0 && wide.complaints.contains { $0.contains(remark) })
        let missing = try Run(
            "render", folder("in.wav"), folder("x.wav"), "--hrtf", "generated", "--headphone-eq", folder("no.txt"))
        #expect(missing.status == 1 && missing.complaints.joined().contains("no such file"))
    }
}
