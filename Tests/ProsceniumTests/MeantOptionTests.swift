import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// Options of ffmpeg and sox, and misspelt options: the message names the nearest option of the command.
@Suite struct MeantOptionTests {
    @Test(arguments: [
        (["render", "a.wav", "b.wav", "-ss", "3"], "Unknown option '-ss' of 'render'; the nearest is --from"),
        (
            ["process", "a.wav", "b.wav", "--to", "stereo", "-t", "3"],
            "Unknown option '-t' of 'process'; the nearest is --duration"
        ),
        (["upmix", "a.wav", "b.wav", "--volume", "3"], "Unknown option '--volume' of 'upmix'"),
        (["process", "a.wav", "b.wav", "--to", "mono", "--volume=3"], "the nearest is --gain"),
        (["render", "-i", "a.wav", "b.wav"], "proscenium render IN OUT"),
        (["render", "a.wav", "b.wav", "--lenght", "3"], "Unknown option '--lenght' of 'render'"),
        (["render", "a.wav", "b.wav", "--untill", "3"], "the nearest is --until"),
        (["render", "a.wav", "b.wav", "--hrft", "x"], "the nearest is --hrtf"),
        (["bake", "a.wav", "b.wav", "--dial", "-27"], "the nearest is --dialnorm"),
        (["process", "a.wav", "b.wav", "--to", "mono", "trim"], "'process' takes --from"),
        (["process", "a.wav", "b.wav", "--to", "mono", "--dither", "tdpf"], "The nearest is 'tpdf'"),
        (["upmix", "a.wav", "b.wav", "--mode", "enrgy"], "The nearest is 'energy'"),
        (["rendr", "a.wav"], "there is no command 'rendr'; the nearest is 'render'; there are "),
    ])
    func `What was meant is named`(_ words: [String], _ meant: String) throws {
        let run = try Run(words)
        #expect(run.status == 2)
        #expect(run.complaints.joined(separator: "\n").contains(meant), "\(run.complaints)")
    }

    @Test func `No option of another command is named`() throws {
        let run = try Run("loudness", "a.wav", "--rate", "48000")
        #expect(run.status == 2 && run.complaints.first == "Error: Unknown option '--rate' of 'loudness'")
    }

    @Test(arguments: ["--gain=-6dB", "--gain -6", "--gain -6dB", "--gain=-6 dB", "--gain \u{2212}6db"])
    func `Gains are written with or without their unit`(_ words: String) throws {
        let folder = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 480)
        for i in 0..<480 { (block[0][i], block[1][i]) = (0.5, 0.25) }
        let writer = try SoundFileWriter(path: folder("in.wav"), channels: 2, sampleRate: .studio)
        try writer.write(block, frames: 480)
        try writer.finish()
        let options = words.hasPrefix("--gain=") ? [words] : words.split(separator: " ", maxSplits: 1).map(String.init)
        let run = try Run(["process", folder("in.wav"), folder("out.wav"), "--to", "2.0"] + options)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(abs(try WholeSound.read(folder("out.wav"))[0][0] - 0.5 * Float(pow(10, -0.3))) < 1e-6)
        // `render` reads the option by its row.
        let ears = try Run(["render", folder("in.wav"), folder("ears.wav"), "--hrtf", "generated", "--json"] + options)
        #expect(ears.output.contains("\"gain\" : -12"), "\(ears.complaints)")
    }

    @Test func `Layouts have their other names, and 3 point 1 exists`() throws {
        let folder = try Scratch()
        let block = PlanarBlock(channels: 4, frames: 480)
        for channel in 0..<4 { for i in 0..<480 { block[channel][i] = Float(channel + 1) / 10 } }
        let writer = try SoundFileWriter(path: folder("in.wav"), channels: 4, sampleRate: .studio)
        try writer.write(block, frames: 480)
        try writer.finish()
        for (name, samples) in [("3.1", [0.1, 0.2, 0.3, 0.4]), ("3.0", [0.1, 0.2, 0.3])] as [(String, [Float])] {
            let run = try Run("process", folder("in.wav"), folder(name + ".wav"), "--layout", "3.1", "--to", name)
            #expect(run.status == 0, "\(run.complaints)")
            #expect(try WholeSound.read(folder(name + ".wav")).map { $0[0] } == samples)
        }
        let run = try Run("process", folder("3.1.wav"), folder("2.wav"), "--to", "2.0")
        #expect(run.status == 0 && run.complaints.first?.hasPrefix("3.1 to stereo") == true, "\(run.complaints)")
        let unknown = try Run("process", folder("3.1.wav"), folder("x.wav"), "--to", "sterio")
        #expect(unknown.status == 2 && unknown.complaints.first?.contains("the nearest is 'stereo'") == true)
    }
}
