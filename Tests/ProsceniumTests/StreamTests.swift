import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// `-` as input and output, sound without a header, and another rate, as a user of pipes meets them.
@Suite struct StreamTests {
    private static let frames = 60_011

    /// Writes noise with a channel mask; returns its interleaved samples.
    @discardableResult
    private func write(_ path: String, channels: Int = 6) throws -> [Float] {
        let block = PlanarBlock(channels: channels, frames: Self.frames)
        var all = [Float](repeating: 0, count: channels * Self.frames)
        for channel in 0..<channels {
            for (i, sample) in WhiteNoise.samples(Self.frames, seed: UInt64(11 + channel)).enumerated() {
                block[channel][i] = sample
                all[i * channels + channel] = sample
            }
        }
        let writer = try SoundFileWriter(
            path: path, channels: channels, sampleRate: .studio,
            channelPositions: channels == 6 ? [1, 2, 4, 8, 0x200, 0x400] : [1, 2])
        try writer.write(block, frames: Self.frames)
        try writer.finish()
        return all
    }

    /// Runs a line of bash in a folder; `$p` is the program.
    private func bash(_ line: String, in folder: Scratch) throws -> Run {
        try Run(
            ["-c", "cd \"$1\"; p=$2; " + line, "bash", folder.path, Run.program.path],
            program: URL(fileURLWithPath: "/bin/bash"))
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test(arguments: [
        ("render", "--hrtf generated --from 0.5"), ("process", "--to stereo --fit --bits 16"), ("upmix", ""),
        ("bake", "--stereo side.wav -y"), ("process", "--to ambi1 --rate 44100"),
    ])
    func `Pipes give the bytes of files`(_ command: String, _ options: String) throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: command == "upmix" ? 2 : 6)
        let file = try bash("$p \(command) in.wav out.wav \(options)", in: folder)
        #expect(file.status == 0, "\(file.complaints)")
        let piped = try bash("set -o pipefail; cat in.wav | $p \(command) - - \(options) | cat > piped.wav", in: folder)
        #expect(piped.status == 0, "\(piped.complaints)")
        #expect(try bytes(folder("piped.wav")) == bytes(folder("out.wav")))
        #expect(!folder.contents.contains { $0.hasPrefix("-") })
    }

    @Test func `Loudness and info read a pipe`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let file = try bash("$p loudness in.wav", in: folder).output
        #expect(try bash("cat in.wav | $p loudness -", in: folder).output == file.replacing("in.wav", with: "-"))
        #expect(try bash("cat in.wav | $p info -", in: folder).output.contains("layout: 5.1, by its channel positions"))
        #expect(try bash("cat in.wav | $p loudness --save -", in: folder).status == 2)
    }

    @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
    func `Standard output has several names`(_ name: String) throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let lines = [
            "$p process in.wav out.wav --to stereo", "$p process in.wav \(name) --to stereo > file.wav",
            "$p process in.wav \(name) --to stereo | cat > pipe.wav",
            // Bytes that were written before are kept.
            "{ printf x; $p process in.wav \(name) --to stereo; } > behind.bin",
        ]
        let run = try bash("set -e; set -o pipefail; " + lines.joined(separator: "; "), in: folder)
        #expect(run.status == 0, "\(run.complaints)")
        let wanted = try bytes(folder("out.wav"))
        for name in ["file.wav", "pipe.wav"] { #expect(try bytes(folder(name)) == wanted) }
        #expect(try bytes(folder("behind.bin")) == Data("x".utf8) + wanted)
        let both = try bash("$p process in.wav \(name) --to mono --json | cat", in: folder)
        #expect(both.output.isEmpty && both.complaints[0].contains("leave out --json"))
    }

    @Test func `Pipes with names and process substitutions are read and written`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let run = try bash(
            "set -e; $p process in.wav out.wav --to stereo; mkfifo pipe; cat pipe > a.wav & "
                + "$p process <(cat in.wav) pipe --to stereo; wait; $p process /dev/stdin /dev/fd/3 --to stereo < in.wav 3> b.wav; "
                + "cat in.wav | $p process /dev/stdin c.wav --to stereo; $p process in.wav /dev/null --to stereo",
            in: folder)
        #expect(run.status == 0, "\(run.complaints)")
        let wanted = try bytes(folder("out.wav"))
        for name in ["a.wav", "b.wav", "c.wav"] { #expect(try bytes(folder(name)) == wanted, "\(name)") }
        let closed = try bash("$p process in.wav /dev/fd/9 --to stereo 9>&-", in: folder)
        #expect(closed.status == 3 && closed.complaints[0].contains("/dev/fd/9"), "\(closed.complaints)")
    }

    @Test func `A reader that ends early is named`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        for output in ["- --format wav", "/dev/stdout --format raw"] {
            let run = try bash(
                "$p process in.wav \(output) --to stereo | head -c 100 > /dev/null; exit ${PIPESTATUS[0]}",
                in: folder)
            #expect(run.status == 3)
            #expect(run.complaints.last?.contains("the program that reads the output ended early") == true)
        }
    }

    @Test(arguments: [("32f", "little"), ("16", "big"), ("24", "little"), ("8", "little"), ("64f", "little")])
    func `Sound without a header is described by options`(_ bits: String, _ order: String) throws {
        let folder = try Scratch()
        let sound = try write(folder("in.wav"), channels: 2)
        var raw = Data()
        for sample in sound {
            switch bits {
            case "32f": withUnsafeBytes(of: sample.bitPattern.littleEndian) { raw.append(contentsOf: $0) }
            case "64f": withUnsafeBytes(of: Double(sample).bitPattern.littleEndian) { raw.append(contentsOf: $0) }
            case "16": withUnsafeBytes(of: Int16(sample * 32_768).bigEndian) { raw.append(contentsOf: $0) }
            case "24":
                withUnsafeBytes(of: Int32(sample * 8_388_608).littleEndian) { raw.append(contentsOf: $0.prefix(3)) }
            default: raw.append(UInt8(Int(sample * 128) + 128))
            }
        }
        try raw.write(to: URL(fileURLWithPath: folder("in.raw")))
        let run = try bash(
            "set -o pipefail; cat in.raw | $p process - - --to stereo --format raw --input-rate 48k --input-channels 2 "
                + "--input-bits \(bits) --input-endian \(order) > out.raw", in: folder)
        #expect(run.status == 0, "\(run.complaints)")
        let out = try bytes(folder("out.raw")).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let step: Float = ["8": 1 / 128, "16": 1 / 32_768, "24": 1 / 8_388_608][bits] ?? 0
        #expect(out.count == sound.count && zip(out, sound).allSatisfy { abs($0 - $1) <= step })
    }

    @Test func `What is half said of a stream is refused`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: 2)
        let half = try bash("cat in.wav | $p process - out.wav --to mono --input-rate 48000", in: folder)
        #expect(half.status == 2 && half.complaints[0].contains("needs both --input-rate and --input-channels"))
        let mixed = try bash("$p process in.wav - --to mono --json | cat", in: folder)
        #expect(mixed.output.isEmpty && mixed.complaints[0].contains("leave out --json"))
        let odd = try bash(
            "head -c 1001 in.wav | $p process - out.wav --to mono --input-rate 48000 --input-channels 2", in: folder)
        #expect(odd.complaints.contains { $0.contains("the last 1 bytes do not fill a frame") }, "\(odd.complaints)")
        let nothing = try bash("$p process - out2.wav --to mono < /dev/null", in: folder)
        #expect(nothing.status == 1 && nothing.complaints[0].contains("has no sound in it"))
        let stereo = try bash("$p bake in6.wav - | cat", in: folder)
        #expect(!stereo.complaints.isEmpty)
    }

    @Test func `The output's rate is that which preview would play at, and sections are cut from it`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: 2)
        for (name, options) in [("whole", ""), ("cut", "--from 0.1 --until 0.9")] {
            let run = try bash("$p process in.wav \(name).wav --to stereo --rate 44100 \(options)", in: folder)
            #expect(run.status == 0, "\(run.complaints)")
        }
        let whole = try WholeSound.read(folder("whole.wav"))
        #expect(try SoundFileReader(path: folder("whole.wav")).sampleRate == .cd)
        #expect(whole[0].count == Int((Double(Self.frames) * 44_100 / 48_000).rounded(.up)))
        #expect(try WholeSound.read(folder("cut.wav")) == whole.map { Array($0[4410..<39_690]) })
        let refused = try bash("$p process in.wav x.wav --to stereo --rate 3", in: folder)
        #expect(refused.status == 2)
    }
}
