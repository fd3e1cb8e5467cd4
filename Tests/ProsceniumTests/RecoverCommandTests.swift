import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// `proscenium recover` as a user runs it.
@Suite struct RecoverCommandTests {
    @Test func `A finished take needs no recovery, and what lies beside is named`() throws {
        let folder = try Scratch()
        let writer = try SoundFileWriter(path: folder("a.wav"), channels: 2, sampleRate: .studio, asTake: true)
        try writer.write(PlanarBlock(channels: 2, frames: 4800), frames: 4800)
        try writer.finish()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder("a.wav")))
        let run = try Run(["recover", "a.wav"], in: folder.path)
        #expect(
            run.status == 0 && run.output == "a.wav is complete; nothing has to be recovered\n", "\(run.complaints)")
        let json = try Run(["recover", "a.wav", "--json"], in: folder.path)
        #expect(json.status == 0 && json.output.contains("\"path\""))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder("a.wav"))) == before && folder.contents == ["a.wav"])
        // A take of the same name was cut off, and another one was cut off before it received its name.
        for name in ["a.wav", "b.wav"] {
            try FileManager.default.copyItem(atPath: folder("a.wav"), toPath: folder(name + ".part"))
            let beside = try Run(["recover", name], in: folder.path)
            #expect(beside.status != 0 && beside.complaints.joined().contains(name + ".part"), "\(beside.complaints)")
        }
        #expect(folder.contents == ["a.wav", "a.wav.part", "b.wav.part"])
    }
}
