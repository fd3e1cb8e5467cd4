import Foundation
import SoundFixtures
import Testing

@testable import proscenium

/// Words that the shells' scripts get for a line that is being typed.
@Suite struct OfferedWordsTests {
    private func words(_ typed: String...) -> [String] { OfferedWords.all(for: typed).map(\.word) }

    @Test func `Commands, their parts and their options are offered`() {
        #expect(words("re") == ["recover", "render"])
        #expect(words("tracker", "") == ["list", "probe", "calibrate"])
        #expect(words("help", "ctl", "rec") == ["recentre", "record"])
        #expect(words("render", "--over") == ["--overwrite"])
        #expect(words("render", "a.wav", "--overwrite", "--over").isEmpty)
        #expect(words("run", "--plugin", "x", "--plugi") == ["--plugin", "--plugins"])
        #expect(words("--v") == ["--version"])
        #expect(!words("demo", "").contains("play"))
    }

    @Test func `Values stand behind their options, and behind an equals sign`() {
        #expect(words("render", "--dither", "t") == ["tpdf"])
        #expect(words("render", "--dither=t") == ["--dither=tpdf"])
        #expect(words("run", "--head", "osc") == ["osc:9000"])
        #expect(words("process", "--to", "9") == ["9.1.6"])
        #expect(words("run", "--plugin", "e") == ["ears="])
        #expect(words("ctl", "mode", "t") == ["tracked"] && words("ctl", "--input", "talk", "mode", "t") == ["tracked"])
        #expect(words("ctl", "drc", "film").count == 2)
        #expect(words("render", "--from", "").isEmpty)
        #expect(words("process", "--loudness-target", "l") == ["line"] && words("process", "--format", "am") == ["amb"])
        #expect(words("render", "--", "--over").isEmpty)
        // Sets that are not installed could not be played.
        #expect(words("render", "--hrtf", "gene") == ["generated"] && words("render", "--hrtf", "defa") == ["default"])
        #expect(words("render", "--hrtf", "sadie").isEmpty)
    }

    @Test func `Files have the endings that are read, and folders a slash`() throws {
        let folder = try Scratch()
        for name in ["a.sofa", "b.wav", ".c.sofa"] {
            try Data().write(to: URL(fileURLWithPath: folder(name)))
        }
        try FileManager.default.createDirectory(atPath: folder("d"), withIntermediateDirectories: false)
        func here(_ names: String...) -> [String] { names.map { folder($0) } }
        #expect(words("render", "--hrtf", folder("")) == here("a.sofa", "d/"))
        #expect(words("render", "--hrtf", folder(".")) == here(".c.sofa"))
        #expect(words("render", folder("")) == here("a.sofa", "b.wav", "d/"))
        #expect(words("render", "--to-folder", folder("")) == here("d/"))
        #expect(words("sofa", "info", folder("")) == here("a.sofa", "d/"))
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `Each shell has a script that asks the program`(_ shell: String)
        throws
    {
        let run = try Run("--generate-completion-script", shell)
        #expect(run.status == 0 && run.output.contains("---offer"))
        #expect(try Run("--generate-completion-script=" + shell).output == run.output)
        #expect(try Run("---offer", "render", "--bits", "32").output == "32f\n32\n")
    }
}
