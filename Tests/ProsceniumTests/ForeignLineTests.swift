import Foundation
import SoundFixtures
import Testing

@testable import proscenium

/// Command lines of ffmpeg and sox, translated into those of this program.
@Suite struct ForeignLineTests {
    @Test(arguments: [
        ("render -i a.wav -ss 1 -to 0:02 b.wav", "render a.wav b.wav --from 1 --until 0:02"),
        ("-i a.wav -ar 44100 b.wav", "render a.wav b.wav --rate 44100"),
        ("process a.wav b.wav trim 1 =3 gain -3", "process a.wav b.wav --from 1 --until 3 --gain=-3"),
        ("process -r 44100 a.wav b.wav", "process a.wav b.wav --rate 44100"),
        (
            "process -t raw -r 44100 -e float -b 32 -c 2 -B a.raw b.wav",
            "process a.raw b.wav --input-rate 44100 --input-channels 2 --input-bits 32f --input-endian big"
        ),
        ("process a.wav b.wav -ac 6 -c:a pcm_s16le", "process a.wav b.wav --bits 16 --to 5.1"),
        ("process -i a.wav -af loudnorm=I=-16:TP=-1:linear=true b.wav", "process a.wav b.wav --loudness-target=-16"),
        ("upmix a.wav b.wav -ac 6", "upmix a.wav b.wav --layout 5.1"),
        ("bake a.wav -b 24 b.wav", "bake a.wav b.wav --bits 24"),
        ("play a.wav b.wav", "preview a.wav b.wav --connect-out physical"),
        ("render a.wav b.wav x/", "render a.wav b.wav --to-folder x/"),
    ]) func `Lines are translated`(_ typed: String, _ meant: String) {
        #expect(ForeignLine.translated(typed.split(separator: " ").map(String.init)) == "proscenium " + meant)
    }

    /// A line that would do less than was typed is not offered.
    @Test(arguments: [
        "process a.wav b.wav reverb 50", "process a.wav b.wav remix 1,2 3", "render a.wav b.wav -ac 6",
        "process a.wav b.wav -af loudnorm=I=-16:LRA=7", "process a.wav b.wav -af loudnorm=I=-16:TP=-1.5",
        "render a.wav b.wav -af loudnorm=I=-16", "process a.wav b.wav -metadata title=x",
        "process a.wav b.wav -f s16be",
        "process -t raw -r 44100 a.raw b.wav", "process a.wav b.wav c.wav", "render a.wav b.wav --gain hello",
        "run -i a.wav", "render a.wav b.wav",
    ]) func `Words without a counterpart have no line`(_ typed: String) {
        #expect(ForeignLine.translated(typed.split(separator: " ").map(String.init)) == nil)
    }

    @Test func `A word with the letter h is no request for help`() throws {
        for word in ["-hide_banner", "-channel_layout"] {
            let run = try Run("render", "a.wav", "b.wav", word)
            #expect(run.status == 2 && run.output.isEmpty)
            #expect(run.complaints.first?.contains("unknown option '\(word)' of 'render'") == true, "\(run.complaints)")
        }
        #expect(try Run("render", "-h").status == 0 && Run("render", "--help").status == 0)
        #expect(try Run("render", "-yh").status == 0)
    }

    @Test func `process keeps the layout where none is named`() throws {
        let folder = try Scratch()
        let bash =
            "cd \"$1\"; p=$2; head -c 1152000 /dev/urandom | $p process - in.wav --input-rate 48000 "
            + "--input-channels 6 --input-bits 16 --layout 5.1 && $p process in.wav out.flac && $p process in.wav same.wav "
            + "--to 5.1 && $p process in.wav plain.wav && cmp same.wav plain.wav && $p info out.flac"
        let run = try Run(
            ["-c", bash, "bash", folder.path, Run.program.path], program: .init(fileURLWithPath: "/bin/bash"))
        #expect(run.status == 0, "\(run.complaints)")
        #expect(run.output.contains("layout: 5.1"))
        let field = try Run("process", "a.wav", "b.wav", "--to-ambisonics", "n3d")
        #expect(field.status == 2 && field.complaints.first?.contains("without --to") == true)
    }
}
