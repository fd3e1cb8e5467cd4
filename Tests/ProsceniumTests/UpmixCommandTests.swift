import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// `proscenium upmix` and `process --upmix` as a user runs them.
@Suite struct UpmixCommandTests {
    /// An odd number of frames: neither blocks nor chunks divide it.
    private static let frames = 30_011

    /// Writes a tone in the middle, noise on both sides and, at frame 12 000, a click hard left.
    private func write(_ path: String, channels: Int = 2) throws {
        let block = PlanarBlock(channels: channels, frames: Self.frames)
        var state: UInt64 = 88_172_645_463_325_252
        for frame in 0..<Self.frames {
            for channel in 0..<channels {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                let noise = Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
                block[channel][frame] = 0.2 * Float(sin(Double(frame) * 0.0576)) + 0.02 * noise
            }
        }
        block[0][12_000] = 0.9
        let writer = try SoundFileWriter(
            path: path, channels: channels, sampleRate: .studio, channelPositions: channels == 2 ? [1, 2] : nil)
        try writer.write(block, frames: Self.frames)
        try writer.finish()
    }

    @Test(arguments: ["player", "live"])
    func theStageIsAlignedAndAsLongAndFoldsDownToTheInput(_ latency: String) throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let run = try Run(
            "upmix", folder("in.wav"), folder("out.wav"), "--latency", latency, "--decorrelate", "off", "--json")
        #expect(run.status == 0)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(report["frames"] as? Int == Self.frames)
        #expect((report["latencyFrames"] as? Int ?? 9999) <= (latency == "player" ? 2048 : 96))
        let (x, y) = (try WholeSound.read(folder("in.wav")), try WholeSound.read(folder("out.wav")))
        #expect(y.count == 6 && y.allSatisfy { $0.count == Self.frames })
        #expect(y[3].allSatisfy { $0 == 0 })
        // The sum equals the input sample for sample, so the latency is removed and the click keeps its frame.
        let half = Float(0.5).squareRoot()
        var (worst, loudest) = (Float(0), 0)
        for i in 0..<Self.frames {
            for (input, front, surround) in [(0, 0, 4), (1, 1, 5)] {
                worst = max(worst, abs(y[front][i] + half * y[2][i] + half * y[surround][i] - x[input][i]))
            }
            if abs(y[0][i]) > abs(y[0][loudest]) { loudest = i }
        }
        #expect(worst < 2e-6)
        #expect(loudest == 12_000)
        #expect(try SoundFileReader(path: folder("out.wav")).header.channelPositions == [1, 2, 4, 8, 0x200, 0x400])
    }

    @Test func processOpensStereoAsUpmixDoesBeforeItRenders() throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let amounts = ["--centre", "0.7", "--width", "0.2", "--ambience", "0.8"]
        #expect(try Run(["upmix", folder("in.wav"), folder("stage.wav"), "--mode", "energy"] + amounts).status == 0)
        let opened = try Run(
            ["process", folder("in.wav"), folder("same.wav"), "--upmix", "energy", "--to", "5.1", "--json"] + amounts)
        #expect(opened.status == 0 && opened.output.contains("upmixed to 5.1, energy, player"))
        #expect(try WholeSound.read(folder("same.wav")) == WholeSound.read(folder("stage.wav")))
        // With another layout, `process` gives the same output for the upmixed file as for the song with `--upmix`.
        let wider = ["--to", "stereo", "--gain", "12", "--fit"]
        #expect(try Run(["process", folder("stage.wav"), folder("a.wav")] + wider).status == 0)
        #expect(
            try Run(["process", folder("in.wav"), folder("b.wav"), "--upmix", "energy"] + amounts + wider).status == 0)
        #expect(try WholeSound.read(folder("a.wav")) == WholeSound.read(folder("b.wav")))
    }

    @Test func whatIsNoStereoOrNoStageIsRefusedInPlainWords() throws {
        let folder = try Scratch()
        try write(folder("six.wav"), channels: 6)
        try write(folder("in.wav"))
        let six = try Run("process", folder("six.wav"), folder("out.wav"), "--upmix", "identity", "--to", "7.1")
        #expect(six.status == 1 && six.complaints.contains { $0.contains("6 channels; an upmix starts from stereo") })
        let flat = try Run(
            "process", folder("in.wav"), folder("out.wav"), "--upmix", "identity", "--upmix-to", "stereo", "--to", "5.1"
        )
        #expect(flat.status == 2 && flat.complaints.contains { $0.contains("stereo cannot be upmixed to layout") })
        #expect(!FileManager.default.fileExists(atPath: folder("out.wav")))
    }
}
