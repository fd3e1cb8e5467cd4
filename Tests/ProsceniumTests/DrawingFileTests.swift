import Foundation
import SoundFixtures
import Testing

/// Pictures by another program.
@Suite struct DrawingFileTests {
    private static let generated = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../HRTF/generated.sofa").path
    private static let hasConverter = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .contains { FileManager.default.isExecutableFile(atPath: "\($0)/rsvg-convert") }

    @Test(.enabled(if: hasConverter, "rsvg-convert is not installed"))
    func `A name that begins with a dash is a file's name`() throws {
        let folder = try Scratch()
        let run = try Run(["sofa", "plot", Self.generated, "--png=-x.png", "--svg=-x.svg"], in: folder.path)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(folder.contents == ["-x.png", "-x.svg"])
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: folder("-x.png"))).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
    }

    /// In an earlier version the signal of a pipe without a reader (SIGPIPE) ended the program without a message.
    @Test(arguments: ["exit 1", "kill -9 $$", "echo no such format >&2; exit 1", "exit 0"])
    func `A converter that ends early, dies or makes nothing is told of`(script: String) throws {
        let folder = try Scratch()
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: folder("rsvg-convert")))
        chmod(folder("rsvg-convert"), 0o755)
        let run = try Run(
            ["sofa", "plot", Self.generated, "--png", "x.png"], environment: ["PATH": folder.path], in: folder.path)
        #expect(run.status == 3 && run.complaints.last?.contains("rsvg-convert says") == true, "\(run)")
        #expect(folder.contents == ["rsvg-convert"])
    }
}
