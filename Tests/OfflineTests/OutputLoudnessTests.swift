import AudioIO
import Foundation
import Loading
import Metering
import Offline
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing

/// `process` with a loudness target: the loudness of the output, measured again.
@Suite struct OutputLoudnessTests {
    /// Writes noise whose level in dB changes over time: pieces of (dB, seconds), the same in all channels.
    private func write(_ path: String, channels: Int = 2, _ pieces: [(Double, Double)]) throws {
        let envelope = pieces.flatMap { level, seconds in
            [Float](repeating: Float(Decibels(level).amplitude), count: Int(seconds * 48_000))
        }
        let block = PlanarBlock(channels: channels, frames: envelope.count)
        for channel in 0..<channels {
            let noise = WhiteNoise.samples(envelope.count, seed: UInt64(41 + channel))
            for i in envelope.indices { block[channel][i] = noise[i] * envelope[i] }
        }
        let writer = try SoundFileWriter(
            path: path, channels: channels, sampleRate: .studio,
            channelPositions: channels == 6 ? [1, 2, 4, 8, 0x200, 0x400] : channels == 2 ? [1, 2] : nil)
        try writer.write(block, frames: envelope.count)
        try writer.finish()
    }

    private func process(
        _ folder: Scratch, as name: String = "out.wav", to target: String? = nil, _ loudness: LoudnessTarget?,
        gain: Double = 0, excerpt: Excerpt = Excerpt()
    ) throws -> ProcessReport {
        try OfflineSession.process(
            ProcessSettings(
                stage: StageSettings(gain: gain), input: folder("in.wav"), output: folder(name), target: target,
                loudness: loudness, excerpt: excerpt),
            progress: { _ in true })
    }

    private func measured(_ path: String) throws -> LoudnessMeasurement {
        try LoudnessMeasurement(file: path, stage: StageSettings(), order: nil, progress: { _ in true })
    }

    @Test(arguments: [nil, "stereo", "7.1.4", "ambi1"] as [String?], [LoudnessTarget.loudness(-33.5), .line])
    func `What is written has the loudness, whatever the layout`(_ target: String?, _ loudness: LoudnessTarget) throws {
        let folder = try Scratch()
        try write(folder("in.wav"), channels: 6, [(-30, 3), (-12, 4), (-50, 2)])
        let report = try process(folder, to: target, loudness)
        let found = try measured(folder("out.wav")).loudness
        let wanted = try #require(loudness.loudness)
        #expect(abs(try #require(found.integrated) - wanted) < 0.02)
        #expect(report.loudness == found && report.remarks.allSatisfy { !$0.contains("loudness requested") })
        #expect(report.lines.contains { $0.hasPrefix("as written: ") })
    }

    @Test func `The gain of the whole takes no part`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), [(-20, 3)])
        let plain = try process(folder, as: "a.wav", .loudness(-40))
        let raised = try process(folder, as: "b.wav", .loudness(-40), gain: 12)
        #expect(abs(plain.gain - raised.gain) < 0.01)
        #expect(try process(folder, as: "c.wav", .off, gain: 3).gain == 3)
    }

    @Test func `A true peak holds at -1 dBTP, and the report tells what is missing`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), [(-60, 2), (-10, 0.01), (-60, 2)])
        let report = try process(folder, .loudness(-14))
        let found = try measured(folder("out.wav")).loudness
        let (loudness, peak) = (try #require(found.integrated), try #require(found.truePeak))
        #expect(abs(peak + 1) < 0.01 && loudness < -15)
        let short = String(format: "%.1f LU below the loudness requested", -14 - loudness)
        #expect(report.remarks.contains { $0.hasPrefix(short) })
    }

    @Test func `Blocks that a gain lifts over the gate are counted`() throws {
        let folder = try Scratch()
        // Below the gate of -70 LUFS, and 8 dB above: after the gain both count.
        try write(folder("in.wav"), [(-53, 10), (-45, 10)])
        let before = try #require(try measured(folder("in.wav")).loudness.integrated)
        let report = try process(folder, .loudness(-25))
        #expect(abs(try #require(try measured(folder("out.wav")).loudness.integrated) + 25) < 0.02)
        #expect(report.gain - (-25 - before) > 1)
    }

    @Test func `A section is that of the whole`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), [(-30, 1), (-20, 1)])
        _ = try process(folder, as: "whole.wav", .loudness(-30))
        _ = try process(folder, as: "cut.wav", .loudness(-30), excerpt: Excerpt(from: 0.5, until: 1))
        let whole = try WholeSound.read(folder("whole.wav")).map { Array($0[24_000..<48_000]) }
        #expect(try WholeSound.read(folder("cut.wav")) == whole)
    }

    @Test func `Silence has no loudness, and nothing is written`() throws {
        let folder = try Scratch()
        try write(folder("in.wav"), [(-300, 2)])
        let error = #expect(throws: SessionError.self) { try process(folder, .loudness(-23)) }
        #expect(error?.description.contains("no loudness to bring to -23.0 LUFS") == true && error?.remedy != nil)
        #expect(folder.contents == ["in.wav"])
    }
}
